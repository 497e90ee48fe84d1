// Sign-ins on new devices that this browser has not pointed out yet.

export interface NewDevice {
  id: string;
  created_at: string;
  device: string;
  address: string;
}

const keyOf = (user: string): string => `devices-seen:${user}`;

/** Those since the last visit in this browser. On the first visit, those since the session began. */
export function listUnseen(user: string, devices: NewDevice[], beganAt: string): NewDevice[] {
  const seen = localStorage.getItem(keyOf(user));
  if (seen !== null) return devices.filter(({ id }) => Number(id) > Number(seen));
  const isLater = ({ created_at }: NewDevice): boolean => Date.parse(created_at) > Date.parse(beganAt);
  markSeen(
    user,
    devices.filter((login) => !isLater(login)),
  );
  return devices.filter(isLater);
}

export function markSeen(user: string, devices: NewDevice[]): void {
  const before = Number(localStorage.getItem(keyOf(user)) ?? 0);
  localStorage.setItem(keyOf(user), String(Math.max(before, ...devices.map(({ id }) => Number(id)))));
}
