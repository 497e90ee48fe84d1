// Messages of what a change did, and of choosing between two versions.
import { imports } from './imports';
import { isSingular, plural, whole } from './text';

export const changes = {
  show: 'Voir ce qui a changé',
  showNamed: (change: string) => `Voir ce qui a changé : ${change}`,
  field: 'Champ',
  before: 'Avant',
  after: 'Après',
  nothing: 'Aucune différence visible.',
  empty: 'vide',
  yes: 'oui',
  no: 'non',
  part: (name: string, part: number) => `${name} (${part})`,
  alike: (names: string[], count: number) =>
    count > names.length
      ? `${names.join(', ')} et ${plural(count - names.length, 'autre', 'autres')}`
      : names.join(', '),
  by: (email: string) => `par ${email}`,
  othersTitle: 'Annuler la modification d’une autre personne ?',
  others: (email: string, summary: string) =>
    `${email} a fait ceci : ${summary}. Cette personne pourra voir que vous l’avez annulé.`,
  undo: {
    title: 'Annuler cette modification ?',
    later: (count: number) =>
      `${plural(count, 'modification ultérieure en dépend', 'modifications ultérieures en dépendent')}. Toutes seront annulées ensemble, dans cet ordre :`,
    kinds: {
      ...imports.result.kinds,
      transactions: (count: number) => plural(count, 'opération', 'opérations'),
      attachments: (count: number) => plural(count, 'fichier', 'fichiers'),
      preferences: (count: number) => plural(count, 'paramètre', 'paramètres'),
      exchange_rates: (count: number) => plural(count, 'taux de change', 'taux de change'),
    } as Record<string, (count: number) => string>,
    deleted: (what: string) => `Suppression : ${what}`,
    made: (what: string) => `Restauration : ${what}`,
    changed: (what: string) => `Retour à l’état antérieur : ${what}`,
    actions: { deleted: 'suppression', made: 'restauration', changed: 'retour à l’état antérieur' } as Record<
      string,
      string
    >,
    sum: (count: number) =>
      isSingular(count) ? 'Montant de l’opération :' : `Montant total des ${whole(count)} opérations :`,
    list: 'Ce qui est concerné',
    first: (count: number) => `Seuls les ${whole(count)} premiers éléments sont affichés.`,
    import: 'Voir l’import',
    together: (count: number) => `Annuler les ${whole(count)} modifications`,
    anyway: 'Annuler et supprimer aussi ces éléments',
    /** Without what only programs can do. */
    forPeople: (reason: string) => reason.replace(/ (Undo with force=1|With `with_later=1`)[^.]*\./g, ''),
  },
};

export const versions = {
  title: 'Quelqu’un d’autre a modifié ceci',
  text: 'Pour chaque champ, choisissez la version à garder, puis enregistrez. Si un champ n’a été modifié que par l’un de vous deux, cette version est déjà choisie.',
  yours: 'La vôtre',
  theirs: 'L’autre',
  same: 'La version enregistrée est identique à la vôtre. Enregistrez de nouveau pour la garder.',
  save: 'Enregistrer ces choix',
  chooseYours: 'Garder les vôtres',
  chooseTheirs: 'Garder les autres',
};

/** Where a field's own name would not be understood. */
export const fieldNames: Record<string, string> = {
  own: 'Compte',
  to: 'Vers le compte',
  other: 'Bénéficiaire ou payeur',
  source: 'Du compte',
  destination: 'Vers le compte',
  data: 'Valeur',
  match: 'Mots du relevé',
  skip: 'Échéances sautées',
  automatch: 'Reconnaître les paiements automatiquement',
  include_net_worth: 'Inclure dans le patrimoine net',
  iban: 'IBAN',
  bic: 'BIC',
  splits: 'Ventilation',
  triggers: 'Conditions',
  budget_percentages: 'Parts des budgets, en pour cent',
  account_id: 'Compte',
  parent: 'Catégorie parente',
  carry: 'Reporter sur le mois suivant',
  weekend: 'Si la date tombe un week-end',
  holidays: 'Traiter les jours fériés comme des week-ends',
  mime: 'Type de fichier',
  size: 'Taille en octets',
  md5: 'Somme de contrôle',
};
