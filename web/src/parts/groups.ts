// Bills and piggy banks under the titles of their groups.

interface Member {
  attributes: { object_group_title: string | null };
}

/** The members by group, in order; those without a group come first, under an empty title. */
export function byGroup<T extends Member>(members: T[]): [string, T[]][] {
  const groups = new Map<string, T[]>([['', []]]);
  for (const member of members) {
    const title = member.attributes.object_group_title ?? '';
    groups.set(title, [...(groups.get(title) ?? []), member]);
  }
  return [...groups].filter(([, some]) => some.length);
}
