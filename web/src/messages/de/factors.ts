// Messages of second factors and passkeys.
import type { Messages } from '../loading';
import { plural } from './text';

export const factors: Messages['factors'] = {
  title: 'Anmeldung in zwei Schritten',
  lead: 'Mit einem zweiten Schritt kann sich niemand anmelden, der nur Ihr Passwort kennt. Ein Passkey kann das Passwort auch ersetzen.',
  none: 'Noch kein zweiter Schritt.',
  kinds: { totp: 'Authenticator-App', passkey: 'Passkey' },
  added: 'Hinzugefügt',
  addApp: 'Authenticator-App hinzufügen',
  addPasskey: 'Passkey hinzufügen',
  rename: 'Umbenennen',
  renameNamed: (name) => `Umbenennen: ${name}`,
  renamed: 'Umbenannt.',
  remove: 'Entfernen',
  removeNamed: (name) => `Entfernen: ${name}`,
  removed: (name) => `„${name}“ entfernt.`,
  removeLast:
    'Das ist Ihr einziger zweiter Schritt. Ohne ihn genügt Ihr Passwort zur Anmeldung, und Ihre Wiederherstellungscodes gelten nicht mehr.',
  removeOne: (name) => `Sie können sich dann nicht mehr mit ${name} anmelden.`,
  prove: 'Code',
  proveHint: 'Aus Ihrer Authenticator-App, oder ein Wiederherstellungscode.',
  proveRecovery: 'Wiederherstellungscode',
  proveRecoveryHint: 'Einer der Wiederherstellungscodes, die Sie gespeichert haben.',
  usePasskey: 'Passkey verwenden',
  proveInstead: 'Stattdessen Passkey verwenden',
  name: 'Name',
  appNameHint: 'Zum Beispiel das Telefon, auf dem sie ist.',
  passkeyNameHint: 'Zum Beispiel das Gerät oder der Schlüssel, auf dem er ist.',
  appName: 'Telefon',
  passkeyName: 'Passkey',
  next: 'Weiter',
  scan: 'Scannen Sie dieses Bild mit Ihrer Authenticator-App, und geben Sie die sechs Ziffern ein, die sie anzeigt.',
  picture: 'Das Bild zum Scannen',
  secret: 'Wenn Sie es nicht scannen können, geben Sie diesen Schlüssel in die App ein:',
  secretLabel: 'Der Schlüssel für die App',
  digits: 'Sechs Ziffern',
  confirm: 'Einschalten',
  appAdded: 'Authenticator-App hinzugefügt.',
  passkeyAdded: 'Passkey hinzugefügt.',
  create: 'Passkey erstellen',
  passkeyLead:
    'Ihr Browser fragt dann, wo er den Passkey aufbewahren soll: auf diesem Gerät, auf einem Telefon oder auf einem Sicherheitsschlüssel.',
  waiting: 'Folgen Sie den Anweisungen Ihres Browsers …',
  recovery: 'Wiederherstellungscodes',
  recoveryLeft: (left) =>
    left
      ? `Sie haben noch ${plural(left, 'Wiederherstellungscode', 'Wiederherstellungscodes')}. Jeder lässt Sie einmal hinein, wenn Sie alles andere verloren haben.`
      : 'Sie haben keine Wiederherstellungscodes mehr. Erstellen Sie neue, damit Sie hineinkommen, wenn Sie alles andere verlieren.',
  newCodes: 'Neue Wiederherstellungscodes',
  newCodesLead: 'Sie erhalten zehn neue Codes. Die bisherigen Codes gelten dann nicht mehr.',
  makeCodes: 'Neue Codes erstellen',
  codesLead:
    'Bewahren Sie diese Codes sicher auf, zum Beispiel auf Papier. Jeder gilt einmal anstelle Ihres zweiten Schritts. Sie werden nicht noch einmal angezeigt.',
  codesLoss: {
    title: 'Haben Sie die Codes gespeichert?',
    text: 'Sie werden nicht noch einmal angezeigt. Ohne sie und ohne Ihren zweiten Schritt können Sie sich nicht anmelden.',
  },
  copyCodes: 'Kopieren',
  copied: 'Kopiert',
  downloadCodes: 'Herunterladen',
  printCodes: 'Drucken',
  codesFile: 'farthing-wiederherstellungscodes.txt',
  codesHead: (email, address) => `Wiederherstellungscodes von ${email} für ${address}`,
  kept: 'Ich habe sie gespeichert',
  passkeys: {
    cancelled:
      'Es wurde kein Passkey verwendet: Der Vorgang wurde abgebrochen, dauerte zu lange, oder es gibt keinen für diese Adresse.',
    exists: 'Dieses Gerät oder dieser Schlüssel hat hier bereits einen Passkey für Sie.',
    elsewhere: 'Die Passkeys dieser Installation gehören zu einer anderen Adresse als der in Ihrem Browser.',
    unsupported: 'Dieser Browser oder dieses Gerät kann keine Passkeys verwenden.',
    failed: 'Der Browser konnte keinen Passkey verwenden. Versuchen Sie es noch einmal oder auf anderem Weg.',
    needName: 'Passkeys brauchen eine Adresse mit einem Namen, und diese ist eine Zahl.',
    openAt: 'Öffnen Sie Farthing stattdessen hier:',
    needHttps: 'Passkeys brauchen eine Adresse mit einem Namen und https, etwa https://geld.example.org.',
    ownerHint: 'Wer diese Installation betreibt, richtet das mit FARTHING_BASE_URL ein.',
  },
};
