import type { Schema } from '@qatra/contract/endpoint'
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { CallError } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { type FieldAt, type FieldErrors, schemaErrors, serverErrors } from './form-errors.ts'

/** What a schema accepts. */
export type InputOf<S extends Schema> = S['_zod']['input']
type NameOf<V> = keyof V & string

export interface FormSetup<V extends object, S extends Schema, B extends InputOf<S>, A, F extends string = NameOf<V>> {
  /** Write it as `createThing.body`: the build keeps only the bodies that are named. Undefined: only `check` validates. */
  body: S | undefined
  /** Texts that this form requires although its endpoint does not. */
  requires?: readonly (NameOf<V> & F)[]
  /** Errors that the schema does not find, or for which this form has its own words. */
  check?(values: V): FieldErrors<F>
  /** Initial values. */
  start: V | (() => V)
  toBody(values: V): B
  /** By default the first part of the path. */
  fieldAt?: FieldAt<F>
  send(body: B): Promise<A>
  onSaved?(answer: A): void | Promise<void>
  /** Text beside the button while fields are in error. Without it a refusal has the words of `failed` in any case. */
  invalid?: string
  /** Text of an error without a field. */
  failed(error: CallError): string
  /** Text of an error, instead of both above; null keeps them. */
  failureOf?(error: CallError): string | null
  /** The values or the request were refused. */
  onRefused?(words: string): void
}

/** Values and errors of fields. A change clears the errors of its fields. */
export function useFormState<V extends object, F extends string>(start: V | (() => V)) {
  const [values, setValues] = useState(start)
  const [errors, setErrors] = useState<FieldErrors<F>>({})

  /**
   * Clears the errors of `fields` and of the parts within them (`items.0.quantity`); by default of the changed values.
   */
  function set(change: Partial<V> | ((before: V) => Partial<V>), ...fields: F[]) {
    const isFunction = typeof change === 'function'
    setValues((before) => ({ ...before, ...(isFunction ? change(before) : change) }))
    const changed: readonly string[] = fields.length > 0 || isFunction ? fields : Object.keys(change)
    const isChanged = (name: string) => changed.some((field) => name === field || name.startsWith(`${field}.`))
    setErrors((before) =>
      Object.keys(before).some(isChanged)
        ? (Object.fromEntries(Object.entries(before).filter(([name]) => !isChanged(name))) as FieldErrors<F>)
        : before,
    )
  }
  return { values, setValues, errors, setErrors, set }
}

/** Form state with submit. Validates with the server's schema and keeps the input on errors. */
export function useForm<V extends object, S extends Schema, B extends InputOf<S>, A, F extends string>(
  setup: FormSetup<V, S, B, A, F>,
) {
  const t = useT()
  const element = useRef<HTMLFormElement>(null)
  const { values, setValues, errors, setErrors, set } = useFormState<V, F>(setup.start)
  const [start, setStart] = useState(values)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const isDirty = JSON.stringify(values) !== JSON.stringify(start)
  const fieldAt: FieldAt<F> = setup.fieldAt ?? (([name = '']) => String(name) as F)

  // The first field in error takes the focus. `data-invalid` is for one that is no control, such as a map.
  useEffect(() => {
    const first = element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')
    if (refusals === 0 || !first) return
    first.focus()
    // Focus scrolls a text area to its caret only; the error is below its last line.
    first.scrollIntoView?.({ block: 'nearest' })
  }, [refusals])

  const reset = (next: V = start) => {
    setStart(next)
    setValues(next)
    setErrors({})
    setFailure(null)
  }
  const refuse = (found: FieldErrors<F>, words: string) => {
    setErrors(found)
    setFailure(words)
    setRefusals((count) => count + 1)
    setup.onRefused?.(words)
  }

  async function submit() {
    const body = setup.toBody(values)
    const empty = (setup.requires ?? []).filter((name) => String(values[name] ?? '').trim() === '')
    const missing = Object.fromEntries(empty.map((name) => [name, t('validation.required')])) as FieldErrors<F>
    const found = { ...missing, ...schemaErrors(setup.body, body, fieldAt, t), ...setup.check?.(values) }
    if (Object.keys(found).length > 0) return refuse(found, setup.invalid ?? '')
    setErrors({})
    setFailure(null)
    setBusy(true)
    try {
      const answer = await setup.send(body)
      setStart(values)
      await setup.onSaved?.(answer)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const fields = serverErrors(error.details.fields, fieldAt)
      const usual = (Object.keys(fields).length > 0 && setup.invalid) || setup.failed(error)
      refuse(fields, setup.failureOf?.(error) ?? usual)
    } finally {
      setBusy(false)
    }
  }

  return {
    values,
    errors,
    failure,
    busy,
    isDirty,
    set,
    reset,
    submit,
    /** For controls that give their value: `<MoneyField {...form.field('price')} />`. */
    field: <K extends NameOf<V> & F>(name: K) => ({
      name,
      value: values[name],
      onChange: (value: V[K]) => set((before) => ({ ...before, [name]: value }), name),
      error: errors[name],
    }),
    /** For `TextField` and `TextArea`, which give an event. */
    text: <K extends NameOf<V> & F>(name: K) => ({
      name,
      value: String(values[name] ?? ''),
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set((before) => ({ ...before, [name]: event.target.value }), name),
      error: errors[name],
    }),
    props: {
      ref: element,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        if (!busy) void submit()
      },
    },
  }
}

export type FormState = Pick<ReturnType<typeof useForm>, 'failure' | 'isDirty' | 'busy' | 'props'>
