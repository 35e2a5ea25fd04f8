import type { Schema } from '@qatra/contract/endpoint'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import type { FieldAt } from '../../form/form-errors.ts'
import { type FormSetup, type InputOf, useForm as useAnyForm } from '../../form/use-form.ts'

type AdminFormSetup<V extends object, S extends Schema, B extends InputOf<S>, A, F extends string> = Omit<
  FormSetup<V, S, B, A, NoInfer<F>>,
  'invalid' | 'failed' | 'start' | 'fieldAt'
> & {
  start: V
  fieldAt?: FieldAt<F>
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
  return useAnyForm<V, S, B, A, F>({
    ...setup,
    invalid: t('admin.form.checkFields'),
    failed: (error) => refusalText(t, error, 'admin.form'),
    // The same words on every form: `Form` shows them for as long as there is no connection.
    failureOf: (error) =>
      error.code === 'OFFLINE' ? refusalText(t, error, 'admin.form') : (setup.failureOf?.(error) ?? null),
  })
}
