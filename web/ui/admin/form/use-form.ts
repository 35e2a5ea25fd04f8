import type { Schema } from '@qatra/contract/endpoint'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { type FormSetup, type InputOf, useForm as useAnyForm } from '../../form/use-form.ts'

type AdminFormSetup<V extends object, S extends Schema, B extends InputOf<S>, A> = Omit<
  FormSetup<V, S, B, A>,
  'invalid' | 'failed' | 'start'
> & {
  start: V
}

/** A form with the messages of the admin area. */
export function useForm<V extends object, S extends Schema, B extends InputOf<S>, A>(
  setup: AdminFormSetup<V, S, B, A>,
) {
  const t = useT()
  return useAnyForm<V, S, B, A, keyof V & string>({
    ...setup,
    invalid: t('admin.form.checkFields'),
    failed: (error) => refusalText(t, error, 'admin.form'),
    // The same words on every form: `Form` shows them for as long as there is no connection.
    failureOf: (error) =>
      error.code === 'OFFLINE' ? refusalText(t, error, 'admin.form') : (setup.failureOf?.(error) ?? null),
  })
}
