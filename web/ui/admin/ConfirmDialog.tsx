import { type ReactNode, useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import { Dialog } from '../Dialog.tsx'
import { TextArea } from '../Field.tsx'

interface ConfirmDialogProps {
  open: boolean
  title: ReactNode
  children?: ReactNode
  /** What is done, as its button says it. */
  confirm: string
  /** What leaves everything as it is; "Cancel" unless told. */
  cancel?: string
  tone?: 'danger' | 'gulf'
  /** Asks why; `required` does not go on without. */
  reason?: 'optional' | 'required'
  reasonLabel?: string
  /** Shortest reason taken. */
  shortest?: number
  busy?: boolean
  /** What went wrong with it. */
  error?: ReactNode
  onConfirm(reason: string): void
  onCancel(): void
}

/** Asks once before what cannot be taken back; the choice that changes nothing has the focus. */
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
      act={{
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
