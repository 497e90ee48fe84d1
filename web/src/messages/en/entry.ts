// Messages of what people type: dates and amounts.
export const typed = {
  dates: {
    open: 'Open calendar',
    calendar: 'Calendar',
    today: 'Today',
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    writeLike: (example: string) => `Write it like ${example}, or “today”, “-1” for yesterday, “15” for the 15th.`,
    tooEarly: (day: string) => `Choose ${day} or later.`,
    tooLate: (day: string) => `Choose ${day} or earlier.`,
  },
  every: { range: (max: number) => `Enter a whole number from 1 to ${max}.` },
  currencies: { used: 'Used', others: 'Others' },
  arithmetic: {
    number: (text: string) => `“${text}” is not a number.`,
    unfinished: 'The calculation is not complete.',
    brackets: 'A bracket is missing.',
    zero: 'Nothing can be divided by zero.',
    long: 'The calculation is too long.',
  },
};
