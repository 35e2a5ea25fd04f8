import { type AttemptReason, attemptReasons, type RunStop } from '@qatra/contract/drivers'
import { useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { Sheet } from '../../../ui/admin/Sheet.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { TextArea } from '../../../ui/Field.tsx'

interface AttemptSheetProps {
  stop: RunStop
  onClose(): void
  onSave(about: { reason: AttemptReason; notes: string }): void
}

/** Reason of a failed delivery. */
export function AttemptSheet({ stop, onClose, onSave }: AttemptSheetProps) {
  const t = useT()
  const [reason, setReason] = useState<AttemptReason>('absent')
  const [notes, setNotes] = useState('')
  const title = t('run.cannotTitle', { name: stop.customerName })
  return (
    <Sheet label={title} title={title} onClose={onClose}>
      <form
        className="grid gap-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          onSave({ reason, notes: notes.trim() })
          onClose()
        }}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: chips that are pressed, not radio buttons of a form. */}
        <div role="group" aria-label={title} className="flex flex-wrap gap-2">
          {attemptReasons.map((key) => (
            <Chip key={key} chosen={reason === key} onClick={() => setReason(key)}>
              {t(`admin.attempt.${key}`)}
            </Chip>
          ))}
        </div>
        <TextArea
          label={t('run.cannotNote')}
          value={notes}
          maxLength={500}
          rows={2}
          onChange={(event) => setNotes(event.target.value)}
        />
        <Button type="submit" tone="gulf" size="big">
          {t('run.cannotSave')}
        </Button>
      </form>
    </Sheet>
  )
}
