import type { Schema } from '@qatra/contract/endpoint'
import type { CallError } from '../../../lib/api-client.ts'
import { type Translate, useT } from '../../../lib/language/i18n.tsx'
import { type FormSetup, type InputOf, useForm as useAnyForm } from '../../form/use-form.ts'

type AdminFormSetup<V extends object, S extends Schema, B extends InputOf<S>, A> = Omit<
  FormSetup<V, S, B, A>,
  'invalid' | 'failed' | 'start'
> & {
  start: V
}

function failed(error: CallError, t: Translate): string {
  const keys = {
    OFFLINE: 'admin.form.offline',
    VERSION_CONFLICT: 'admin.form.conflict',
    FORBIDDEN: 'admin.form.forbidden',
  } as const
  return t(error.code in keys ? keys[error.code as keyof typeof keys] : 'admin.form.failed')
}

/** A form with the messages of the admin area. */
export function useForm<V extends object, S extends Schema, B extends InputOf<S>, A>(
  setup: AdminFormSetup<V, S, B, A>,
) {
  const t = useT()
  return useAnyForm<V, S, B, A, keyof V & string>({
    ...setup,
    invalid: t('admin.form.checkFields'),
    failed: (error) => failed(error, t),
    // The same words on every form: `Form` shows them for as long as there is no connection.
    failureOf: (error) => (error.code === 'OFFLINE' ? failed(error, t) : (setup.failureOf?.(error) ?? null)),
  })
}
