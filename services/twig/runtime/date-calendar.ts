const weekdayOf = (local: { year: number; month: number; day: number }) =>
  new Date(Date.UTC(local.year, local.month - 1, local.day)).getUTCDay();

/** A calendar day; parts that are out of range overflow into the next unit. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * Returns the number of days from a day to a weekday, as PHP counts them for `monday`, `next monday` and `monday this
 * week`.
 */
export function daysToWeekday(
  local: Day,
  { day, behaviour }: { day: number; behaviour: number },
  days: number,
): number {
  const current = weekdayOf(local);
  if (behaviour === 2) return (day || 7) - (current || 7);
  const difference = day - current;
  return (days < 0 && difference < 0) || (days >= 0 && difference <= -behaviour) ? difference + 7 : difference;
}

/** Returns the first, second, … or last given weekday of a month. */
export function nthWeekday(local: Day, { count, day }: { count: number; day: number }): Day {
  if (count > 0) {
    const first = { ...local, day: 1 };
    return { ...first, day: 1 + ((day - weekdayOf(first) + 7) % 7) + (count - 1) * 7 };
  }
  const last = { ...local, month: local.month + 1, day: 0 };
  return { ...last, day: -((weekdayOf(last) - day + 7) % 7) };
}

/** Returns the number of days to move by a number of working days. */
export function daysForWeekdays(local: { year: number; month: number; day: number }, amount: number): number {
  const direction = Math.sign(amount);
  let left = Math.min(Math.abs(amount), 10_000);
  let moved = 0;
  while (left > 0) {
    moved += direction;
    const day = weekdayOf({ ...local, day: local.day + moved });
    if (day !== 0 && day !== 6) left--;
  }
  return moved;
}
