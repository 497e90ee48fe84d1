// What people may do in shared books.
export const roles: Record<string, string> = {
  owner: 'Propietario',
  full: 'Acceso completo',
  bookkeeper: 'Contable',
  viewer: 'Observador',
};

export const meanings: Record<string, string> = {
  viewer: 'Lo ve todo, pero no puede cambiar nada.',
  bookkeeper: 'Anota y corrige todo, pero no puede eliminar cuentas, exportar, invitar ni cambiar ajustes.',
  full: 'Puede hacer todo lo que puede el propietario, menos ceder la contabilidad.',
};
