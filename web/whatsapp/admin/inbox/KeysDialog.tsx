import { useT } from '../../../lib/language/i18n.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { inboxKeys } from './use-inbox-keys.ts'

export function KeysDialog({ onClose }: { onClose(): void }) {
  const t = useT()
  return (
    <Dialog open title={t('inbox.keys')} safe={{ label: t('admin.close'), onChoose: onClose }}>
      <dl className="mt-2 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 text-label">
        {inboxKeys.map(([keys, name]) => (
          <div key={name} className="contents">
            <dt dir="ltr" className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="min-w-6.5 rounded-s bg-well px-1.5 text-center font-sans text-ink">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{t(`inbox.keys.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
