// Messages of signing in and the first run.
import type { Messages } from '../loading';

type SignInPages = typeof import('../en/sign-in').signInPages;

export const signInPages: { [Key in keyof SignInPages]: Messages[Key] } = {
  signIn: {
    title: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    passwordHint: 'Mindestens 8 Zeichen.',
    submit: 'Anmelden',
    second: 'Noch ein Schritt: Bestätigen Sie, dass Sie es sind.',
    code: 'Code',
    codeHint: 'Aus Ihrer Authenticator-App, oder ein Wiederherstellungscode.',
    recoveryCode: 'Wiederherstellungscode',
    recoveryCodeHint: 'Einer der Wiederherstellungscodes, die Sie gespeichert haben.',
    passkey: 'Passkey verwenden',
    orCode: 'Oder verwenden Sie einen Code:',
    withLink: 'Anmeldung mit Ihrem Link …',
    linkFailed:
      'Dieser Link gilt nicht mehr. Melden Sie sich mit Ihrem Passwort an, oder erstellen Sie mit `farthing user sign-in-link` einen neuen.',
    linkFailedHere: 'Dieser Link gilt nicht mehr. Sie sind weiterhin angemeldet.',
    continueWith: (name) => `Weiter mit ${name}`,
    continueByProxy: 'Ohne Passwort weiter',
    comingIn: 'Anmeldung läuft …',
    stillIn: 'Sie sind hier abgemeldet, aber beim Anbieter noch angemeldet.',
    signOutThere: 'Auch dort abmelden',
    forgotten: 'Passwort vergessen?',
    forgottenHelp:
      'Bitten Sie den Betreiber dieser Installation um ein neues. Wenn Sie das sind, gibt dieser Befehl auf dem Server eines aus:',
    linkHelp:
      'Geben Sie oben Ihre E-Mail-Adresse ein. Ein Link, der ein neues Passwort setzt, kommt per E-Mail und gilt 30 Minuten.',
    sendLink: 'Link senden',
    linkSent: 'Wenn es einen Benutzer mit dieser Adresse gibt, ist ein Link unterwegs.',
    you: 'sie@example.org',
    expired: 'Sie wurden abgemeldet. Melden Sie sich an, um dort weiterzumachen, wo Sie waren.',
  },
  newPassword: {
    title: 'Neues Passwort',
    password: 'Neues Passwort',
    submit: 'Passwort setzen',
    done: 'Ihr neues Passwort ist gesetzt, und Sie sind überall abgemeldet.',
    signIn: 'Anmelden',
    missing:
      'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail, oder fordern Sie einen neuen an.',
  },
  firstRun: {
    title: 'Willkommen bei Farthing',
    lead: 'Legen Sie den ersten Benutzer an. Sie werden der Betreiber dieser Installation.',
    openLink:
      'Um den ersten Benutzer anzulegen, öffnen Sie den Link, den der Server in seinem Terminal ausgegeben oder in die Datei first-run-link.txt in seinem Datenordner geschrieben hat. Er sieht so aus:',
    currency: 'Ihre Hauptwährung',
    region: (language, zone, currency) => `${language}, ${zone}, ${currency}.`,
    change: 'Ändern',
    submit: 'Loslegen',
    bring: 'Daten mitbringen',
    bringHint: 'Wenn Sie Dateien Ihrer Bank oder eines anderen Programms haben, beginnen Sie damit.',
  },
};
