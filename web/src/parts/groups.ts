// Bills and piggy banks under the titles of their groups.

interface Member {
  id: string;
  attributes: {
    name: string;
    object_group_id: number | null;
    object_group_title: string | null;
    object_group_order: number | null;
  };
}

/** The members by group, both in their order; those without a group come first, under an empty title. */
export function byGroup<T extends Member>(members: T[]): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const member of members) {
    const title = member.attributes.object_group_title ?? '';
    groups.set(title, [...(groups.get(title) ?? []), member]);
  }
  const orderOf = ([, [first]]: [string, T[]]): number => first?.attributes.object_group_order ?? 0;
  return [...groups].sort((one, other) => orderOf(one) - orderOf(other));
}

/** The same for the dialog in which they are put into another order. */
export function toArrange(members: Member[]): ArrangeGroup[] {
  return byGroup(members).map(([title, some]) => ({
    key: String(some[0]?.attributes.object_group_id ?? ''),
    title,
    stays: !title,
    members: some.map(({ id, attributes: { name } }) => ({ id, name })),
  }));
}

export interface ArrangeGroup {
  key: string;
  title: string;
  /** Such as the members without a group, which always come first. */
  stays?: boolean;
  members: { id: string; name: string }[];
}
