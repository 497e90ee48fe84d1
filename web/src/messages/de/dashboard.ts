// Messages of the dashboard.
import type { Messages } from '../loading';
import { plural } from './text';

export const dashboard: Messages['dashboard'] = {
  title: 'Übersicht',
  loading: 'Die Übersicht wird geladen …',
  unknownProxy: {
    title: 'Einem Proxy wird noch nicht vertraut',
    text: (address) =>
      `Anfragen kommen über ${address}, doch der Server vertraut dieser Adresse nicht. Deshalb teilen sich alle dahinter eine Grenze für Anmeldungen, und Fremde können sie aufbrauchen. Wenn das Ihr Proxy ist, ergänzen Sie diese Einstellung und starten Sie den Server neu:`,
    otherwise:
      'Wenn nicht, hat jemand falsche Proxy-Kopfzeilen gesendet. Sie wurden ignoriert, und dieser Hinweis verschwindet nach einer Woche.',
  },
  figures: {
    label: 'Dieser Zeitraum',
    earned: 'Einnahmen',
    spent: 'Ausgaben',
    balance: 'Differenz',
    used: (code) => `Anteil des verfügbaren Betrags in ${code}, der ausgegeben ist`,
  },
  lead: {
    label: 'Auf einen Blick',
    canSpend: 'Sie können noch ausgeben',
    until: (day) => `bis ${day}`,
    over: 'Sie haben mehr ausgegeben als geplant, und zwar',
    wasLeft: (day) => `blieben von dem übrig, was bis ${day} geplant war`,
    wasOver: (day) => `mehr als geplant wurde bis ${day} ausgegeben`,
    more: (first) => `mehr eingenommen als ausgegeben seit ${first}`,
    less: (first) => `mehr ausgegeben als eingenommen seit ${first}`,
    setBudget: 'Ausgaben planen',
  },
  cards: {
    figures: 'Einnahmen und Ausgaben',
    net_worth: 'Nettovermögen',
    bills: 'Zu zahlende Rechnungen',
    recent: 'Letzte Buchungen',
    accounts: 'Konten',
    coming: 'Die nächsten Wochen',
    report: 'Bericht',
  },
  arrange: {
    title: 'Übersicht anordnen',
    cards: 'Karten',
    show: (name) => `${name} zeigen`,
    saved: 'Übersicht angeordnet.',
    reports: 'Speichern Sie einen Bericht, um ihn zu einer eigenen Karte zu machen.',
    toReports: 'Zu den Berichten',
    none: 'Alle Karten sind ausgeblendet.',
  },
  worth: {
    title: 'Nettovermögen',
    chart: (code) => `Nettovermögen in ${code} im Zeitverlauf`,
    in: (code) => `Nettovermögen in ${code}`,
    nothing: 'Ihr Nettovermögen erscheint hier, sobald ein Konto einen Saldo hat.',
  },
  balances: {
    title: 'Konten',
    all: 'Alle Konten',
    nothing: 'Noch keine Konten.',
    more: (count) => `Und ${plural(count, 'weiteres Konto', 'weitere Konten')}.`,
  },
  bills: {
    title: 'Zu zahlende Rechnungen',
    all: 'Alle Rechnungen',
    due: 'Heute fällig',
    late: (days) => `${plural(days, 'Tag', 'Tage')} überfällig`,
    longAgo: (count, days) => `${plural(count, 'Zahlung ist', 'Zahlungen sind')} mehr als ${days} Tage überfällig`,
    more: (count) => `Und ${plural(count, 'weitere Zahlung', 'weitere Zahlungen')} fällig`,
    nothing: 'Nichts ist fällig.',
  },
  timeline: {
    title: (days) => `Die nächsten ${days} Tage`,
    today: 'heute',
    kinds: { bill: 'Rechnung', recurrence: 'Dauerbuchung' },
    paidBy: (recurrence, day) => `bezahlt durch „${recurrence}“ am ${day}`,
    willPay: (recurrence, day) => `wird durch „${recurrence}“ am ${day} bezahlt`,
    pays: (bill) => `bezahlt die Rechnung „${bill}“`,
    moved: { hand: 'verschoben', weekend: 'verschoben: Wochenende', holiday: 'verschoben: Feiertag' },
    nothing: 'Nichts ist geplant.',
    begin: 'Dauerbuchung anlegen',
    more: (count) => `${plural(count, 'weitere', 'weitere')} zeigen`,
    less: 'Weniger zeigen',
  },
  recent: { title: 'Letzte Buchungen', all: 'Alle Buchungen', nothing: 'Noch keine Buchungen.' },
  firstSteps: {
    title: 'Drei Schritte zum Einstieg',
    done: 'erledigt',
    account: {
      title: 'Ihr erstes Konto',
      text: 'Das Konto, das Sie täglich nutzen, und sein aktueller Saldo.',
      action: 'Konto anlegen',
    },
    transaction: {
      title: 'Ihre erste Buchung',
      text: 'Ihr letzter Einkauf. Ein Betrag und ein Geschäft genügen.',
      action: 'Buchung erfassen',
    },
    bring: {
      title: 'Bringen Sie Ihre Daten mit',
      text: 'Oder beginnen Sie mit Dateien Ihrer Bank oder eines anderen Programms.',
      action: 'Dateien importieren',
    },
    bill: {
      title: 'Ihre erste Rechnung',
      text: 'Miete, Telefon oder Versicherung. Farthing sagt Ihnen, wann sie fällig ist, und erkennt die Zahlung.',
      action: 'Rechnung anlegen',
    },
  },
};
