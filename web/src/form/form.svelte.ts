// The state of a form: it sends its values and puts the reason for each refusal beside its field.
import { Refused } from '$/api/client';
import { explainError } from '$/shell/notices.svelte';
import { replaceNames } from './labels';

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
  /** What is wrong with typed text that has no value yet, by field; such a form is not sent. */
  #unreadable = new Map<string, string>();

  constructor(values: V) {
    this.values = values;
  }

  /** Registers a visible field, so that its errors are not repeated beside the buttons. */
  registerField(name: string, label = ''): () => void {
    this.#labels.set(name, label);
    return () => this.#labels.delete(name);
  }

  /** Replaces API paths such as `transactions.0.amount` in the error with the field's label. */
  errorOf(name: string, label = ''): string {
    const error = (this.errors[name] ?? []).join(' ');
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
      refuse(Object.fromEntries([...this.#unreadable].map(([name, problem]) => [name, [problem]])));
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
