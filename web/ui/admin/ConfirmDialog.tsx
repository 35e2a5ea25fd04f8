import { type ReactNode, useState } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { Dialog } from '../Dialog.tsx'
import { TextArea } from '../Field.tsx'

interface ConfirmDialogProps {
  open: boolean
  title: ReactNode
  children?: ReactNode
  /** Label of the confirm button. */
  confirm: string
  /** Label of the cancel button. */
  cancel?: string
  tone?: 'danger' | 'gulf'
  /** Asks for a reason; `required` blocks confirming without one. */
  reason?: 'optional' | 'required'
  reasonLabel?: string
  /** Minimum length of the reason. */
  shortest?: number
  busy?: boolean
  /** Error of the action. */
  error?: ReactNode
  onConfirm(reason: string): void
  onCancel(): void
}

/** Confirmation of an action that cannot be undone; Cancel has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return props.open ? <OpenConfirm {...props} /> : null
}

function OpenConfirm(props: ConfirmDialogProps) {
  const { title, children, confirm, cancel, tone = 'gulf', reason, reasonLabel, shortest = 3, busy, error } = props
  const t = useT()
  const [text, setText] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const isMissing = reason === 'required' && text.trim().length < shortest
  return (
    <Dialog
      open
      title={title}
      safe={{ label: cancel ?? t('admin.cancel'), onChoose: props.onCancel }}
      action={{
        label: confirm,
        tone,
        busy: busy ?? false,
        onChoose: () => {
          if (isMissing) setIsAsked(true)
          else props.onConfirm(text.trim())
        },
      }}
    >
      {children}
      {reason && (
        <div {...(reason === 'required' ? { 'data-first': '' } : {})}>
          <TextArea
            label={reasonLabel ?? t('admin.form.reason')}
            className="mt-3 text-ink"
            rows={2}
            maxLength={500}
            value={text}
            error={isAsked && isMissing ? t('admin.form.reasonNeeded') : undefined}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
      {error && (
        <p role="alert" className="mt-3 text-clay">
          {error}
        </p>
      )}
    </Dialog>
  )
}
