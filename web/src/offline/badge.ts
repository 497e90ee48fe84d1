// The number on the app's icon: the payments of bills that are overdue.
import type { Day } from '$/days/days';

interface Due {
  due: { data: { date: Day }[] };
  long_overdue: { total: number };
}

export function showOverdue({ due, long_overdue }: Due, today: Day): void {
  const count = due.data.filter(({ date }) => date < today).length + long_overdue.total;
  void navigator.setAppBadge?.(count).catch(() => {});
}

export function clearBadge(): void {
  void navigator.clearAppBadge?.().catch(() => {});
}
