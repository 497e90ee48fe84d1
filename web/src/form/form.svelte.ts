// The state of a form: it sends its values and puts the reason for each refusal beside its field.
import { Refused } from '$/api/client';
import { t } from '$/messages';
import { inRegion } from '$/session/sentences';
import { look } from '$/shell/look.svelte';
import { explainError } from '$/shell/notices.svelte';
import type { Choice } from './choices';
import { untilDecided } from './decisions';
import { labelOf, replaceNames, replaceOwnName } from './labels';
import { compareVersions, mergeVersions, writeValue, type FieldVersions } from './versions';

/** Errors that the form itself found before sending, by field. */
class InvalidForm extends Error {
  constructor(readonly fields: Record<string, string[]>) {
    super(Object.values(fields).flat().join(' '));
  }
}

/** Throws the errors, if any, so that nothing is sent. */
export function refuse(wrong: Record<string, string[]>): void {
  if (Object.keys(wrong).length) throw new InvalidForm(wrong);
}

/** An object as the server has it: the values of its form, and the ETag to change it with. */
export interface Stored<V> {
  values: V;
  etag: string | null;
}

/** What a field or a frame needs from a form, independent of its values. */
export type FormState = Omit<Form<object>, 'values' | 'send'>;

export class Form<V extends object> {
  values: V = $state() as V;
  errors: Record<string, string[]> = $state({});
  /** Errors that belong to no visible field, shown beside the buttons. */
  general = $state('');
  busy = $state(false);
  /** Someone else changed the object; it must be reloaded. */
  conflict = $state(false);
  /** Something was typed since the form was last saved. */
  isTouched = false;
  /** The labels of the visible fields, by name. */
  #labels = new Map<string, string>();
  #choices = new Map<string, Choice[]>();
  /** The ETag of the edited object. */
  etag: string | null = null;
  /** After somebody else changed the object, too: the fields that differ, to choose from. */
  versions: FieldVersions[] | null = $state(null);
  #original: V;
  #latest: Stored<V> | null = null;
  /** What is wrong with typed text that has no value yet, by field; such a form is not sent. */
  #unreadable = new Map<string, string>();

  /** `read` reads the edited object again, when somebody else has changed it meanwhile. */
  constructor(
    values: V,
    etag: string | null = null,
    readonly read: (() => Promise<Stored<V>>) | null = null,
    /** A value in words, where it is no plain one. */
    readonly describe: (path: string, value: unknown) => string | null = () => null,
  ) {
    this.values = values;
    this.etag = etag;
    this.#original = $state.snapshot(values) as V;
  }

  /** Registers a visible field, so that its errors are not repeated beside the buttons. */
  registerField(name: string, label = '', choices: Choice[] = []): () => void {
    this.#labels.set(name, label);
    this.#choices.set(name, choices);
    return () => this.#labels.delete(name);
  }

  /** Replaces API paths such as `transactions.0.amount` in the error with the field's label. */
  errorOf(name: string, label = ''): string {
    const error = (this.errors[name] ?? []).map((one) => replaceOwnName(inRegion(one), name, label)).join(' ');
    return label && name.includes('.')
      ? error.replaceAll(name, `“${label}”`).replace(/, or \w+(?=\.)/, '')
      : replaceNames(error, this.#labels);
  }

  /** Clears a field's errors when it is edited. */
  clearErrors(name: string): void {
    delete this.errors[name];
  }

  reportUnreadable(name: string, problem: string | null): void {
    if (problem === null) this.#unreadable.delete(name);
    else this.#unreadable.set(name, problem);
  }

  /** True when the server accepted it. Otherwise the first wrong field gets the focus. */
  async send(act: (values: V) => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    [this.errors, this.general, this.conflict] = [{}, '', false];
    try {
      await untilDecided();
      refuse(Object.fromEntries([...this.#unreadable].map(([name, problem]) => [name, [problem]])));
      await act($state.snapshot(this.values) as V);
      this.isTouched = false;
      return true;
    } catch (error) {
      if (error instanceof Refused && error.status === 412 && this.read) await this.compare();
      else this.#showError(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** The label of the field at a path of the values. */
  labelAt(path: string): string {
    const [name, at] = path.split('.').reverse();
    const label = this.#labels.get(path) || this.#labels.get(name!) || labelOf(name!);
    return at && /^\d+$/.test(at) ? t.changes.part(label, Number(at) + 1) : label;
  }

  /** The value of a field as text; of a choice, what was chosen. */
  write(path: string, value: unknown): string {
    const chosen = this.#choices.get(path)?.find((one) => one.value === value);
    return chosen?.text ?? this.describe(path, value) ?? writeValue(value, path.split('.').at(-1), look.hidden);
  }

  /** Takes the chosen versions, and lets the form be sent again. */
  settle(fields: FieldVersions[]): void {
    this.values = mergeVersions($state.snapshot(this.values) as V, fields);
    this.#adopt();
  }

  /** From now on, the version of somebody else is the one that is edited. */
  #adopt(): void {
    if (this.#latest) [this.etag, this.#original] = [this.#latest.etag, this.#latest.values];
    [this.#latest, this.versions] = [null, null];
  }

  /** Reads the object when its form opens, because the page that shows it may be old. What was typed already stays. */
  async catchUp(): Promise<void> {
    this.#latest = await this.read!();
    this.settle(compareVersions(this.#original, $state.snapshot(this.values), this.#latest.values));
  }

  /** Reads what somebody else has made of the object meanwhile, and offers both versions. */
  async compare(): Promise<void> {
    try {
      this.#latest = await this.read!();
      const found = compareVersions(this.#original, $state.snapshot(this.values), this.#latest.values);
      if (found.length) this.versions = found;
      else {
        this.#adopt();
        this.general = t.versions.same;
      }
    } catch (error) {
      this.#showError(error);
    }
  }

  /** Shows what the server has said while the form was not open. Its fields are not there yet. */
  showRefusal({ fields, message }: Refused): void {
    [this.errors, this.general] = [fields, message];
  }

  #showError(error: unknown): void {
    if (!(error instanceof InvalidForm || (error instanceof Refused && error.status === 422))) {
      this.general = explainError(error);
      this.conflict = error instanceof Refused && error.status === 412;
      return;
    }
    this.errors = error.fields;
    const unplaced = Object.entries(error.fields).filter(([name]) => !this.#labels.has(name));
    this.general =
      inRegion(unplaced.flatMap(([, reasons]) => reasons).join(' ')) ||
      (Object.keys(error.fields).length ? '' : error.message);
    queueMicrotask(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }
}
