// Messages of what all pages share.
import type { Messages } from '../loading';
import { anyOf, plural } from './text';

type Common = typeof import('../en/common').common;

export const common: { [Key in keyof Common]: Messages[Key] } = {
  app: {
    name: 'Farthing',
    skip: 'Zum Hauptinhalt springen',
    menu: 'Menü',
    loading: 'Wird geladen …',
    newTransaction: 'Neue Buchung',
  },
  nav: {
    dashboard: 'Übersicht',
    accounts: 'Konten',
    transactions: 'Buchungen',
    inbox: 'Eingang',
    bills: 'Rechnungen',
    recurrences: 'Dauerbuchungen',
    calendar: 'Kalender',
    budgets: 'Budgets',
    categories: 'Kategorien',
    tags: 'Schlagwörter',
    payees: 'Zahlungsempfänger',
    piggyBanks: 'Sparziele',
    reports: 'Berichte',
    rules: 'Regeln',
    imports: 'Import',
    settings: 'Einstellungen',
    signOut: 'Abmelden',
    groups: { money: 'Geld', plan: 'Planen', understand: 'Verstehen', setUp: 'Einrichten' },
    tabs: 'Schnellzugriff',
    home: 'Start',
    more: 'Mehr',
  },
  actions: {
    save: 'Speichern',
    cancel: 'Abbrechen',
    close: 'Schließen',
    delete: 'Löschen',
    edit: 'Bearbeiten',
    more: 'Weitere Aktionen',
    undo: 'Rückgängig',
    retry: 'Erneut versuchen',
    reload: 'Neu laden',
    dismiss: 'Ausblenden',
    copy: 'Kopieren',
    copied: 'Kopiert',
    search: 'Suchen',
    next: 'Weiter',
    previous: 'Zurück',
  },
  form: {
    required: 'Das wird benötigt.',
    make: (name) => `„${name}“ anlegen`,
    writeLike: (example) => `Schreiben Sie es wie ${example}.`,
    accountIn: (code) => `Dieses Konto ist in ${code}. Geben Sie auch den Betrag in ${code} ein.`,
    neitherAccount: (code, others) => `Keines der Konten ist in ${code}. Wählen Sie ${anyOf(others)}.`,
    sameCurrency: (code) =>
      `Der Betrag ist bereits in ${code}. Wählen Sie eine andere Währung, oder lassen Sie das Feld leer.`,
  },
  order: {
    arrange: 'Anordnen',
    groups: 'Gruppen',
    drag: (title) => `${title} ziehen`,
    up: (title) => `${title} nach oben`,
    down: (title) => `${title} nach unten`,
    hint: 'Ziehen Sie die Griffe, drücken Sie die Pfeile, oder drücken Sie Alt und eine Pfeiltaste in einer Zeile.',
    moved: (title, place, of, group = '') =>
      group
        ? `${title} ist jetzt an Stelle ${place} von ${of} in ${group}.`
        : `${title} ist jetzt an Stelle ${place} von ${of}.`,
    stays: (title) => `${title} steht schon am Ende.`,
  },
  leave: {
    title: 'Ohne Speichern verlassen?',
    text: 'Ihre Änderungen sind nicht gespeichert.',
    stay: 'Hier bleiben',
    leave: 'Verlassen',
  },
  notices: {
    undone: 'Rückgängig gemacht.',
    nothingToUndo: 'Das lässt sich nicht mehr rückgängig machen.',
    region: 'Meldungen',
  },
  errors: {
    unreachable:
      'Farthing antwortet nicht. Prüfen Sie Ihre Verbindung; nichts, was Sie eingegeben haben, ist verloren.',
    unknown: 'Etwas ist schiefgegangen. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
    ended:
      'Ihre Sitzung ist abgelaufen; es wurde nichts geändert. Melden Sie sich an, und versuchen Sie es noch einmal.',
    conflict:
      'Jemand hat das geändert, seit Sie es geöffnet haben. Laden Sie neu, um die neue Fassung zu sehen, und bearbeiten Sie sie dann.',
    tooMany: (seconds) =>
      seconds > 90
        ? `Zu viele Versuche. Warten Sie ${Math.ceil(seconds / 60)} Minuten, und versuchen Sie es dann noch einmal.`
        : `Zu viele Versuche. Warten Sie ${plural(Math.max(seconds, 1), 'Sekunde', 'Sekunden')}, und versuchen Sie es dann noch einmal.`,
    busy: 'Farthing ist gerade ausgelastet. Versuchen Sie es gleich noch einmal.',
    crash: (id) =>
      `Auf dem Server ist etwas schiefgegangen. Einzelheiten stehen in seinem Protokoll unter der Anfrage-ID ${id}.`,
    noPage: 'Seite nicht gefunden',
    noPageWhat: 'Prüfen Sie die Adresse, oder gehen Sie zur Übersicht.',
    gone: 'Das wurde gelöscht, oder die Adresse ist falsch. Eine Löschung können Sie unter „Änderungen“ rückgängig machen.',
    changes: 'Zu den Änderungen',
    hidden: 'Betrag verborgen',
  },
  pages: {
    of: (page, pages) => `Seite ${page} von ${pages}`,
    total: (count) => plural(count, 'Eintrag', 'Einträge'),
    label: 'Seiten',
    beyond: (page) => `Seite ${page} ist leer`,
    last: (pages) => (pages > 1 ? `Die letzte Seite ist ${pages}.` : 'Es gibt nur eine Seite.'),
    toFirst: 'Zur ersten Seite',
    toLast: 'Zur letzten Seite',
  },
  range: {
    label: 'Zeitraum',
    '1m': '1 Monat',
    '3m': '3 Monate',
    '1y': '1 Jahr',
    '5y': '5 Jahre',
    '20y': '20 Jahre',
    own: 'Eigener',
    from: 'Von',
    to: 'bis',
  },
  period: { label: 'Zeitraum', previous: 'Voriger Zeitraum', next: 'Nächster Zeitraum', now: 'Heute' },
  years: {
    label: 'Jahr',
    earlier: (year) => `Voriges Jahr: ${year}`,
    later: (year) => `Nächstes Jahr: ${year}`,
  },
  help: {
    title: 'Tastenkürzel',
    search: 'Suchen',
    newTransaction: 'Neue Buchung',
    hideAmounts: 'Beträge verbergen oder anzeigen',
    help: 'Diese Liste zeigen',
    on: 'In den Einstellungen können Sie die Tastenkürzel für dieses Gerät ausschalten.',
    off: 'Die Tastenkürzel sind auf diesem Gerät ausgeschaltet. In den Einstellungen können Sie sie einschalten.',
    goTo: (page) => `Gehe zu: ${page}`,
  },
  look: {
    theme: 'Design',
    auto: 'Wie das System',
    light: 'Hell',
    dark: 'Dunkel',
    hideAmounts: 'Beträge verbergen',
    showAmounts: 'Beträge anzeigen',
    keys: 'Einzelne Tasten als Kürzel verwenden',
  },
};
