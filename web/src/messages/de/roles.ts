// What people may do in shared books.
export const roles: Record<string, string> = {
  owner: 'Eigentümer',
  full: 'Voller Zugriff',
  bookkeeper: 'Buchhalter',
  viewer: 'Leser',
};

export const meanings: Record<string, string> = {
  viewer: 'Sieht alles, kann aber nichts ändern.',
  bookkeeper:
    'Erfasst und berichtigt alles, kann aber keine Konten löschen, nichts exportieren, niemanden einladen und keine Einstellungen ändern.',
  full: 'Kann alles, was der Eigentümer kann, nur nicht die Bücher übergeben.',
};
