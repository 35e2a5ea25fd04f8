import { type ReactNode, useContext, useState } from 'react'
import { useConnection } from '../../../lib/connection.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import type { FormState } from '../../form/use-form.ts'
import { WarningIcon } from '../../icons.tsx'
import { UnsavedChanges } from './UnsavedChanges.tsx'
import { DraftOf } from './use-form.ts'

interface FormProps {
  form: FormState
  label?: string
  className?: string
  children: ReactNode
}

/** The form of a `useForm`: shows errors and a missing connection, and asks before unsaved changes are discarded. */
export function Form({ form, label, className, children }: FormProps) {
  const t = useT()
  const { isOnline } = useConnection()
  const isKept = useContext(DraftOf) !== null
  const offline = t('admin.form.error.OFFLINE')
  const [wasOffline, setWasOffline] = useState(false)
  if (!isOnline && !wasOffline) setWasOffline(true)
  // What an attempt without a connection said is over when it is back.
  const isOver = wasOffline && form.failure === offline
  const failure = isOnline ? !isOver && form.failure : offline
  return (
    <form {...form.props} aria-label={label} className={classes('grid gap-4', className)}>
      <div role="alert" className={failure ? 'flex gap-2 rounded-m bg-clay-soft px-3.5 py-2.5 text-clay' : 'hidden'}>
        {failure && <WarningIcon size={18} aria-hidden="true" className="mt-0.5 flex-none" />}
        {failure}
      </div>
      {children}
      {/* Enter in a field submits also where the visible button is outside the form. */}
      <input type="submit" hidden />
      <UnsavedChanges isUnsaved={() => form.isDirty && !isKept} isSaving={form.busy} />
    </form>
  )
}

/** Fields that belong together. */
export function FieldSet({ legend, hint, children }: { legend: ReactNode; hint?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-4 border-t border-line pt-4 first-of-type:border-t-0 first-of-type:pt-0">
      <legend className="float-start w-full text-heading">{legend}</legend>
      {hint && <p className="clear-both -mt-3 text-ink-2">{hint}</p>}
      <div className="clear-both grid gap-4">{children}</div>
    </fieldset>
  )
}
