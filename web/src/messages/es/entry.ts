// Messages of what people type: dates and amounts.
export const typed = {
  dates: {
    open: 'Abrir el calendario',
    calendar: 'Calendario',
    today: 'Hoy',
    previousMonth: 'Mes anterior',
    nextMonth: 'Mes siguiente',
    writeLike: (example: string) => `Escríbela como ${example}, o «hoy», «-1» para ayer, «15» para el día 15.`,
    tooEarly: (day: string) => `Elige el ${day} o una fecha posterior.`,
    tooLate: (day: string) => `Elige el ${day} o una fecha anterior.`,
  },
  every: { range: (max: number) => `Introduce un número entero del 1 al ${max}.` },
  currencies: { used: 'En uso', others: 'Otras' },
  arithmetic: {
    number: (text: string) => `«${text}» no es un número.`,
    unfinished: 'El cálculo está sin terminar.',
    brackets: 'Falta un paréntesis.',
    zero: 'No se puede dividir entre cero.',
    long: 'El cálculo es demasiado largo.',
  },
};
