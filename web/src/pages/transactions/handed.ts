// What another page hands to the form of a new transaction, once: files that were shared, or an amount.
let files: File[] = [];
let amount = '';

export function hand(given: { files?: File[]; amount?: string }): void {
  [files, amount] = [given.files ?? [], given.amount ?? ''];
}

export function takeHanded(): { files: File[]; amount: string } {
  const taken = { files, amount };
  [files, amount] = [[], ''];
  return taken;
}
