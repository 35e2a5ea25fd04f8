import type { Coordinates } from '@qatra/contract/places/geo'
import { useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { MapPicker } from '../../../map/MapPicker.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'

interface LocationProps {
  onSend(place: Coordinates & { name?: string }): void
  onClose(): void
}

/** Chooses a place to send: on the map, by search or the device's own. */
export function LocationDialog({ onSend, onClose }: LocationProps) {
  const t = useT()
  const [point, setPoint] = useState<Coordinates | null>(null)
  const [name, setName] = useState('')
  return (
    <Dialog
      open
      title={t('inbox.location.title')}
      className="max-w-140"
      safe={{ label: t('inbox.location.cancel'), onChoose: onClose }}
      action={{
        label: t('inbox.location.send'),
        tone: 'aqua',
        reason: point ? null : t('inbox.location.none'),
        onChoose: () => point && onSend({ ...point, ...(name.trim() ? { name: name.trim() } : {}) }),
      }}
    >
      <div className="grid gap-3 pt-2">
        <MapPicker point={point} source={null} areaId={null} onChoose={setPoint} />
        <TextField
          label={t('inbox.location.name')}
          value={name}
          maxLength={300}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
    </Dialog>
  )
}
