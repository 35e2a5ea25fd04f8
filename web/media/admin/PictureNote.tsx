import { retryPicture } from '@qatra/contract/products/admin'
import type { PictureState } from '@qatra/contract/products/fields'
import { useState } from 'react'
import { call } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'

/** Why the shop does not show the picture of an address yet, with a retry for a failed fetch. */
export function PictureNote({ url, state }: { url: string; state: PictureState }) {
  const t = useT()
  const [status, setStatus] = useState<'idle' | 'busy' | 'sent' | 'failed'>('idle')
  if (state === null) return null
  const isFailed = state.state === 'failed' && status !== 'sent'

  async function retry() {
    setStatus('busy')
    await call(retryPicture, { body: { url } }).then(
      () => setStatus('sent'),
      () => setStatus('failed'),
    )
  }

  return (
    <div className="grid justify-items-start gap-2" role="status">
      <p className={isFailed ? 'text-label text-clay' : 'text-label text-ink-3'}>
        {isFailed && state.problem ? t(`admin.picture.${state.problem}`) : t('admin.picture.waiting')}
      </p>
      {isFailed && (
        <ToolbarButton onClick={() => void retry()} disabled={status === 'busy'}>
          {t('admin.picture.retry')}
        </ToolbarButton>
      )}
      {status === 'failed' && <p className="text-label text-clay">{t('admin.picture.retryFailed')}</p>}
    </div>
  )
}
