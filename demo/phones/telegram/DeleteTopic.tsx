import { useState } from 'react'
import { useT } from '../../../web/lib/language/i18n.tsx'
import { Dialog } from '../../../web/ui/Dialog.tsx'

interface DeleteTopicProps {
  open: boolean
  error: string | null
  onKeep(): void
  onDelete(): Promise<void>
}

/** Confirms the deletion of a topic with all its messages. */
export function DeleteTopic({ open, error, onKeep, onDelete }: DeleteTopicProps) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    await onDelete()
    setBusy(false)
  }
  return (
    <Dialog
      open={open}
      title={t('simulator.telegram.deleteTitle')}
      safe={{ label: t('simulator.telegram.keep'), onChoose: onKeep }}
      action={{ label: t('simulator.telegram.delete'), tone: 'danger', busy, onChoose: () => void remove() }}
    >
      <p>{t('simulator.telegram.deleteText')}</p>
      {error && (
        <p role="alert" className="mt-2 text-clay">
          {error}
        </p>
      )}
    </Dialog>
  )
}
