// What people may do in shared books.
export const roles: Record<string, string> = {
  owner: 'Eigenaar',
  full: 'Volledige toegang',
  bookkeeper: 'Boekhouder',
  viewer: 'Meekijker',
};

export const meanings: Record<string, string> = {
  viewer: 'Ziet alles, maar kan niets wijzigen.',
  bookkeeper:
    'Voert alles in en verbetert alles, maar kan geen rekeningen verwijderen, niet exporteren of uitnodigen en geen instellingen wijzigen.',
  full: 'Kan alles wat de eigenaar kan, behalve de boekhouding overdragen.',
};
