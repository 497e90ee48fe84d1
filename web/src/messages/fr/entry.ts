// Messages of what people type: dates and amounts.
export const typed = {
  dates: {
    open: 'Ouvrir le calendrier',
    calendar: 'Calendrier',
    today: 'Aujourd’hui',
    previousMonth: 'Mois précédent',
    nextMonth: 'Mois suivant',
    writeLike: (example: string) =>
      `Format attendu : ${example}. Vous pouvez aussi écrire « aujourd’hui », « -1 » pour hier, « 15 » pour le 15.`,
    tooEarly: (day: string) => `Choisissez une date à partir du ${day}.`,
    tooLate: (day: string) => `Choisissez une date jusqu’au ${day}.`,
  },
  every: { range: (max: number) => `Saisissez un nombre entier de 1 à ${max}.` },
  currencies: { used: 'Utilisées', others: 'Autres' },
  arithmetic: {
    number: (text: string) => `« ${text} » n’est pas un nombre.`,
    unfinished: 'Le calcul est incomplet.',
    brackets: 'Il manque une parenthèse.',
    zero: 'Il est impossible de diviser par zéro.',
    long: 'Le calcul est trop long.',
  },
};
