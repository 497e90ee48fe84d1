// What people may do in shared books.
export const roles: Record<string, string> = {
  owner: 'Propriétaire',
  full: 'Accès complet',
  bookkeeper: 'Saisie',
  viewer: 'Consultation',
};

export const meanings: Record<string, string> = {
  viewer: 'Voit tout, mais ne peut rien modifier.',
  bookkeeper:
    'Saisit et corrige tout, mais ne peut ni supprimer de compte, ni exporter, ni inviter, ni modifier les paramètres.',
  full: 'Peut tout faire comme le propriétaire, sauf céder la comptabilité.',
};
