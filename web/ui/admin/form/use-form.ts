import type { Schema } from '@qatra/contract/endpoint'
import { createContext, useContext, useEffect, useEffectEvent, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { formDraftKey, localStore } from '../../../lib/site-data.ts'
import type { FieldAt } from '../../form/form-errors.ts'
import { type FormSetup, type InputOf, useForm as useAnyForm } from '../../form/use-form.ts'

type AdminFormSetup<V extends object, S extends Schema, B extends InputOf<S>, A, F extends string> = Omit<
  FormSetup<V, S, B, A, NoInfer<F>>,
  'invalid' | 'failed' | 'start' | 'fieldAt'
> & {
  start: V
  fieldAt?: FieldAt<F>
}

/** Names what the forms within are about: they keep what was typed in this browser until it is saved. Null keeps nothing. */
export const DraftOf = createContext<string | null>(null)

interface Drafted<V> {
  values: V
  isDirty: boolean
  set(change: Partial<V>): void
}

/** Restores a draft of the same initial values, and stores each change. */
function useDraft<V extends object>(key: string | null, start: V, { values, isDirty, set }: Drafted<V>) {
  const [from] = useState(() => JSON.stringify(start))
  const typed = JSON.stringify({ from, values })
  const restore = useEffectEvent(() => {
    const kept = key && localStore.getItem(key)
    const draft: { from?: string; values?: V } = kept ? JSON.parse(kept) : {}
    if (draft.from === from && draft.values) set(draft.values)
  })
  useEffect(() => restore(), [])
  useEffect(() => {
    if (key && isDirty) localStore.setItem(key, typed)
  }, [key, isDirty, typed])
}

/** A form with the messages of the admin area. Its errors are those of its values, unless `fieldAt` has other names. */
export function useForm<
  V extends object,
  S extends Schema,
  B extends InputOf<S>,
  A,
  F extends string = keyof V & string,
>(setup: AdminFormSetup<V, S, B, A, F>) {
  const t = useT()
  const about = useContext(DraftOf)
  const draft = about && `${formDraftKey}${about}:${Object.keys(setup.start).join()}`
  const form = useAnyForm<V, S, B, A, F>({
    ...setup,
    onSaved(answer) {
      if (draft) localStore.removeItem(draft)
      return setup.onSaved?.(answer)
    },
    invalid: t('admin.form.checkFields'),
    failed: (error) => refusalText(t, error, 'admin.form'),
    // The same words on every form: `Form` shows them for as long as there is no connection.
    failureOf: (error) =>
      error.code === 'OFFLINE' ? refusalText(t, error, 'admin.form') : (setup.failureOf?.(error) ?? null),
  })
  useDraft(draft, setup.start, form)
  return form
}
