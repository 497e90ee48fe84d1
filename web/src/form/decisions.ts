// The choices that suggestion boxes still look up after somebody has left them. A form waits for them before it is sent.
const PATIENCE_MS = 3000;
const waiting = new Set<Promise<unknown>>();

export function decideLater(decision: Promise<unknown>): void {
  waiting.add(decision);
  void decision.finally(() => waiting.delete(decision));
}

/** A choice may lead to the next, such as that of a payee to what was last bought there. */
export async function untilDecided(): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (waiting.size && Date.now() < end) {
    const late = new Promise((resume) => setTimeout(resume, end - Date.now()));
    await Promise.race([Promise.allSettled(waiting), late]);
  }
}
