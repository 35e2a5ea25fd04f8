import { Fragment } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { Dialog } from '../Dialog.tsx'

interface KeysDialogProps {
  open: boolean
  title: string
  /** Keys, pressed one after another, and what they do. */
  rows: readonly (readonly [keys: readonly string[], words: string])[]
  onClose(): void
}

export function KeysDialog({ open, title, rows, onClose }: KeysDialogProps) {
  const t = useT()
  return (
    <Dialog open={open} title={title} safe={{ label: t('admin.close'), onChoose: onClose }}>
      <dl className="mt-2 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 text-label">
        {rows.map(([keys, words]) => (
          <Fragment key={keys.join(' ')}>
            <dt dir="ltr" className="flex gap-1">
              {keys.map((key, place) => (
                // A key may be pressed twice.
                <kbd
                  key={`${key}${place}`}
                  className="min-w-6.5 rounded-s bg-well px-1.5 text-center font-sans text-ink"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  )
}
