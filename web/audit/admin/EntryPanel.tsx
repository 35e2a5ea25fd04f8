import type { AuditEntry } from '@qatra/contract/audit'
import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { DescriptionList } from '../../ui/admin/DescriptionList.tsx'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { Authors, Change, useSentence } from './sentences.tsx'

const places: Record<string, (id: string) => string> = {
  order: (id) => `/admin/orders/${id}`,
  product: (id) => `/admin/products/${id}`,
  user: (id) => `/admin/users?open=${id}`,
  customer: (id) => `/admin/customers?open=${id}`,
  vendor: (id) => `/admin/vendors/${id}`,
  settings: () => '/admin/settings',
}

/** Details of one entry of the history. */
export function EntryPanel({ entry, onClose }: { entry: AuditEntry; onClose(): void }) {
  const { t, lang } = useLanguage()
  const sentence = useSentence()
  const { resource, resourceId, user } = entry
  const place = resourceId === null ? undefined : places[resource]?.(resourceId)
  return (
    <SidePanel label={t('audit.more')} title={sentence(entry)} onClose={onClose}>
      <PanelPart>
        <DescriptionList
          items={[
            [t('audit.who'), <Authors key="who" entry={entry} />],
            [t('audit.when'), formatDateTime(new Date(entry.at), lang)],
            [t('audit.number'), resourceId],
            [t('audit.network'), entry.ipAddress],
            [t('audit.browser'), entry.userAgent],
          ]}
        />
        <p className="mt-3 flex flex-wrap gap-4">
          {place && (
            <a href={place} className="text-aqua-ink hover:underline">
              {t('audit.open')}
            </a>
          )}
          {user && (
            <Link to="." search={{ user: user.id }} className="text-aqua-ink hover:underline">
              {t('audit.personOnly')}
            </Link>
          )}
        </p>
      </PanelPart>
      {entry.changes.length > 0 && (
        <PanelPart title={t('audit.changes')}>
          <ul className="grid gap-1.5">
            {entry.changes.map((change) => (
              <li key={change.field}>
                <Change resource={entry.resource} change={change} />
              </li>
            ))}
          </ul>
        </PanelPart>
      )}
      {entry.notes && (
        <PanelPart title={t('audit.note')}>
          <p dir="auto" className="whitespace-pre-line">
            {entry.notes}
          </p>
        </PanelPart>
      )}
    </SidePanel>
  )
}
