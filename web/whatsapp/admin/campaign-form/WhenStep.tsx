import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { useT } from '../../../lib/language/i18n.tsx'
import { Segmented } from '../../../ui/admin/Segmented.tsx'
import { TextField } from '../../../ui/Field.tsx'
import type { StepProps } from './TemplateStep.tsx'

/** Default: tomorrow at 10:00. */
const suggested = () => `${bahrainDate(new Date(Date.now() + 86_400_000))}T10:00`

export function WhenStep({ draft, set }: StepProps) {
  const t = useT()
  const isLater = draft.at !== ''
  return (
    <div className="grid justify-items-start gap-4">
      <Segmented
        label={t('campaigns.step.when')}
        value={isLater ? 'later' : 'now'}
        options={[
          { value: 'now', label: t('campaigns.when.now') },
          { value: 'later', label: t('campaigns.when.later') },
        ]}
        onChange={(choice) => set({ at: choice === 'now' ? '' : suggested() })}
      />
      {isLater ? (
        <TextField
          label={t('campaigns.when.at')}
          hint={t('campaigns.when.hint')}
          type="datetime-local"
          ltr
          className="w-full max-w-80"
          value={draft.at}
          onChange={({ target }) => set({ at: target.value })}
        />
      ) : (
        <p className="text-ink-2">{t('campaigns.when.now.hint')}</p>
      )}
    </div>
  )
}
