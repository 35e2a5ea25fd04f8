import { isMissing } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

/** The order was not found, or failed to load. */
export function PanelProblem({ error, onRetry }: { error: Error; onRetry(): void }) {
  const t = useT()
  return (
    <div className="px-5 py-8">
      {isMissing(error) ? (
        <EmptyState title={t('desk.missing')} text={t('desk.missingHint')} />
      ) : (
        <div role="alert" className="grid justify-items-center gap-3 text-center">
          <p>{t('admin.failed')}</p>
          <ToolbarButton onClick={onRetry}>{t('admin.retry')}</ToolbarButton>
        </div>
      )}
    </div>
  )
}

export function PanelSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-4 px-5 py-4">
      <Skeleton className="h-11" />
      <Skeleton className="h-10 w-3/5" />
      <Skeleton className="h-33" />
      <Skeleton className="h-24" />
    </div>
  )
}
