// What the keypad asks for: enough expenses to know the habits of a month or two.
export const recentExpenses = { type: 'withdrawal', limit: 150 };
