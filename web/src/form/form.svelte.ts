// The state of a form: it sends its values and puts the reason for each refusal beside its field.
import { Refused } from '$/api/client';
import { explainError } from '$/shell/notices.svelte';
import { replaceNames } from './labels';

/** What the form itself knows to be wrong, by field, before anything is sent. */
class InvalidForm extends Error {
  constructor(readonly fields: Record<string, string[]>) {
    super(Object.values(fields).flat().join(' '));
  }
}

/** Nothing is sent while something is wrong. */
export function refuse(wrong: Record<string, string[]>): void {
  if (Object.keys(wrong).length) throw new InvalidForm(wrong);
}

/** What a field or a frame needs of a form, whatever its values are. */
export type FormState = Omit<Form<object>, 'values' | 'send'>;

export class Form<V extends object> {
  values: V = $state() as V;
  errors: Record<string, string[]> = $state({});
  /** Errors of no visible field, shown beside the buttons. */
  general = $state('');
  busy = $state(false);
  /** Someone else changed the object; it must be reloaded. */
  conflict = $state(false);
  /** Something was typed since the form was last saved. */
  isTouched = false;
  /** By name, the labels. */
  #labels = new Map<string, string>();

  constructor(values: V) {
    this.values = values;
  }

  /** Registers a visible field, so that its errors are not repeated beside the buttons. */
  registerField(name: string, label = ''): () => void {
    this.#labels.set(name, label);
    return () => this.#labels.delete(name);
  }

  /** In a list the API names a field by its path, `transactions.0.amount`; a person knows it by its label. */
  errorOf(name: string, label = ''): string {
    const said = (this.errors[name] ?? []).join(' ');
    return label && name.includes('.')
      ? said.replaceAll(name, `“${label}”`).replace(/, or \w+(?=\.)/, '')
      : replaceNames(said, this.#labels);
  }

  /** Clears a field's errors when it is edited. */
  clearErrors(name: string): void {
    delete this.errors[name];
  }

  /** True when the server accepted it. Otherwise the first wrong field gets the focus. */
  async send(act: (values: V) => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    [this.errors, this.general, this.conflict] = [{}, '', false];
    try {
      await act($state.snapshot(this.values) as V);
      this.isTouched = false;
      return true;
    } catch (error) {
      this.#showError(error);
      return false;
    } finally {
      this.busy = false;
    }
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
      unplaced.flatMap(([, reasons]) => reasons).join(' ') || (Object.keys(error.fields).length ? '' : error.message);
    queueMicrotask(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }
}
