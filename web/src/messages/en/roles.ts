// What people may do in shared books.
export const roles: Record<string, string> = {
  owner: 'Owner',
  full: 'Full access',
  bookkeeper: 'Bookkeeper',
  viewer: 'Viewer',
};

export const meanings: Record<string, string> = {
  viewer: 'Sees everything, but cannot change anything.',
  bookkeeper: 'Records and corrects everything, but cannot delete accounts, export, invite or change settings.',
  full: 'Can do everything that the owner can, except hand the books over.',
};
