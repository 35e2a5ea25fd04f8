import { useT } from '../../lib/language/i18n.tsx'
import { Button } from '../Button.tsx'

/** A part of a page that could not be loaded, with another try. */
export function LoadFailed({ text, onRetry }: { text?: string; onRetry(): void }) {
  const t = useT()
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 text-clay">
      {text ?? t('admin.failed')}
      <Button size="small" onClick={onRetry}>
        {t('admin.retry')}
      </Button>
    </p>
  )
}
