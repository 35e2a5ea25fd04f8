import type { Schema } from '@qatra/contract/endpoint'
import { fieldWords } from '@qatra/contract/fields'
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { CallError } from '../../app/call.ts'
import { type Translate, useT } from '../../app/i18n.tsx'

type Problems<V> = Partial<Record<keyof V & string, string>>
/** What is sent to be checked by a schema. */
type Sent<S extends Schema> = S['_zod']['input']

interface FormSetup<V extends object, S extends Schema, A> {
  /** `createThing.body`, written so: the build keeps the bodies that are named. */
  body: S | undefined
  /** Texts that this form requires although its endpoint does not. */
  requires?: readonly (keyof V & string)[]
  /** What the fields hold at first. */
  start: V
  /** What is sent, where that is something else than what the fields hold. */
  toBody?(values: V): Sent<S>
  send(body: Sent<S>): Promise<A>
  onSaved?(answer: A): void
  /** Text of an error without a field; null uses the default. */
  failureOf?(error: CallError): string | null
}

function schemaProblems<V>(schema: Schema | undefined, body: unknown, t: Translate): Problems<V> {
  const problems: Record<string, string> = {}
  for (const issue of schema?.safeParse(body).error?.issues ?? []) {
    const { key, values } = fieldWords(issue)
    problems[String(issue.path[0] ?? '')] ??= t(key, values)
  }
  return problems as Problems<V> // the schema's own fields
}

/** `details.fields` names a part by its path: `mapCoordinates.lat`. */
function refusedFields<V>(error: CallError): Problems<V> {
  const problems: Record<string, string> = {}
  for (const [path, words] of Object.entries(error.details.fields ?? {})) problems[path.split('.')[0] ?? ''] ??= words
  return problems as Problems<V>
}

function usualFailure(error: CallError, t: Translate): string {
  const keys = {
    OFFLINE: 'admin.form.offline',
    VERSION_CONFLICT: 'admin.form.conflict',
    FORBIDDEN: 'admin.form.forbidden',
  } as const
  return t(error.code in keys ? keys[error.code as keyof typeof keys] : 'admin.form.failed')
}

/** Form state with submit. Validates with the server's schema and keeps the input on errors. */
export function useForm<V extends object, S extends Schema, A>(setup: FormSetup<V, S, A>) {
  const t = useT()
  const element = useRef<HTMLFormElement>(null)
  const [start, setStart] = useState(setup.start)
  const [values, setValues] = useState(setup.start)
  const [errors, setErrors] = useState<Problems<V>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isDirty = JSON.stringify(values) !== JSON.stringify(start)

  // The first field in error takes the focus.
  useEffect(() => {
    const fields = [...(element.current?.elements ?? [])]
    const first = fields.find((field) => field.getAttribute('aria-invalid') === 'true')
    if (Object.keys(errors).length === 0 || !(first instanceof HTMLElement)) return
    first.focus()
    // A text of many lines is brought to sight by its caret alone; what is wrong with it stands below its end.
    first.scrollIntoView?.({ block: 'nearest' })
  }, [errors])

  const set = (change: Partial<V>) => {
    setValues((before) => ({ ...before, ...change }))
    const changed = Object.keys(change)
    setErrors((before) =>
      changed.some((name) => name in before)
        ? (Object.fromEntries(Object.entries(before).filter(([name]) => !changed.includes(name))) as Problems<V>)
        : before,
    )
  }
  const reset = (next: V = start) => {
    setStart(next)
    setValues(next)
    setErrors({})
    setFailure(null)
  }
  const refuse = (problems: Problems<V>, words: string) => {
    setErrors(problems)
    setFailure(words)
  }

  async function submit() {
    // Where nothing is made of them, the fields hold the body itself.
    const body = setup.toBody ? setup.toBody(values) : (values as unknown as Sent<S>)
    const empty = (setup.requires ?? []).filter((name) => String(values[name] ?? '').trim() === '')
    const missing = Object.fromEntries(empty.map((name) => [name, t('validation.required')])) as Problems<V>
    const problems = { ...missing, ...schemaProblems<V>(setup.body, body, t) }
    if (Object.keys(problems).length > 0) return refuse(problems, t('admin.form.checkFields'))
    refuse({}, '')
    setFailure(null)
    setBusy(true)
    try {
      const answer = await setup.send(body)
      setStart(values)
      setup.onSaved?.(answer)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const fields = refusedFields<V>(error)
      const words = setup.failureOf?.(error) ?? null
      const usual = Object.keys(fields).length > 0 ? t('admin.form.checkFields') : usualFailure(error, t)
      refuse(fields, words ?? usual)
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
    field: <K extends keyof V & string>(name: K) => ({
      name,
      value: values[name],
      onChange: (value: V[K]) => set({ [name]: value } as unknown as Partial<V>),
      error: errors[name],
    }),
    /** For `TextField` and `TextArea`, which give an event. */
    text: <K extends keyof V & string>(name: K) => ({
      name,
      value: String(values[name] ?? ''),
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set({ [name]: event.target.value } as unknown as Partial<V>),
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
