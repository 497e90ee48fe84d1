// Messages about exchange rates.
import type { Messages } from '../loading';
import { plural } from './text';

export const rates: Messages['rates'] = {
  section: 'Währungen',
  primary: {
    title: 'Hauptwährung',
    label: 'Ihre Hauptwährung',
    hint: 'Summen über Währungen hinweg können in ihr gezeigt werden. Ihre Konten und Buchungen behalten ihre Währung.',
    worth: (code) => `Was Ihre anderen Währungen in ${code} wert sind`,
    currency: 'Währung',
    rate: 'Kurs',
    date: 'Datum',
    unknown: 'kein Kurs bekannt',
    via: (code) => `über ${code}`,
    none: 'Alle Ihre Konten sind in dieser Währung.',
  },
  own: {
    title: 'Ihre Kurse',
    hint: 'Ein Kurs gilt ab seinem Datum bis zum nächsten. Am selben Tag gilt Ihr Kurs statt eines veröffentlichten.',
    add: 'Kurs hinzufügen',
    empty: 'Noch keine Kurse',
    emptyText:
      'Geben Sie einen ein, oder legen Sie eine CSV-Datei mit den Spalten date, from, to und rate ab. Dann können Summen in einer Währung gezeigt werden.',
    date: 'Datum',
    pair: 'Währungen',
    rate: 'Kurs',
    equals: (from, to) => `${from} in ${to}`,
    edit: 'Kurs bearbeiten',
    editNamed: (pair, day) => `Bearbeiten: ${pair} vom ${day}`,
    deleteNamed: (pair, day) => `Löschen: ${pair} vom ${day}`,
    saved: 'Kurs gespeichert.',
    deleted: 'Kurs gelöscht.',
  },
  form: {
    from: 'Von',
    to: 'In',
    rate: 'Kurs',
    rateHint: (from, to) => (from && to ? `Wie viel ${to} man für einen ${from} erhält.` : ''),
    date: 'Datum',
    choose: 'Wählen …',
  },
  file: {
    choose: 'CSV importieren',
    drop: 'oder eine CSV-Datei hier ablegen, mit den Spalten date, from, to, rate',
    dropNow: 'Jetzt loslassen',
    done: (created, changed) =>
      `${plural(created, 'Kurs', 'Kurse')} hinzugefügt, ${plural(changed, 'Kurs', 'Kurse')} geändert.`,
  },
  published: {
    title: 'Veröffentlichte Kurse',
    sources: { ecb: 'Europäische Zentralbank' },
    off: 'Es werden keine Kurse abgerufen. Wer diese Installation betreibt, kann das mit der Einstellung FARTHING_RATES=ecb ändern.',
    from: (source) => `Einmal täglich abgerufen, Quelle: ${source}.`,
    last: (when) => `Zuletzt abgerufen: ${when}.`,
    never: 'Noch nicht abgerufen.',
    failed: (why) => `Der letzte Abruf ist gescheitert: ${why}`,
    fetch: 'Jetzt abrufen',
    fetching: 'Wird abgerufen …',
    none: 'Es gibt noch keine veröffentlichten Kurse.',
    source: 'Quelle',
  },
  convert: {
    switch: (code) => `Alles in ${code}`,
    chart: (code) => `Nettovermögen, umgerechnet in ${code}, im Zeitverlauf`,
    in: (code) => `Alles in ${code}`,
    at: (day) => `Umgerechnet zu Kursen vom ${day}.`,
    missing: (codes) => `Nicht enthalten, weil kein Kurs bekannt ist: ${codes.join(', ')}.`,
    add: 'Kurse hinzufügen',
  },
};
