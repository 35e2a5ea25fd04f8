import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { listTemplates, syncTemplates, type Template } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Page } from '../../../app/page.ts'
import { call, read } from '../../../lib/api-client.ts'
import { type Translate, useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { idIn, oneOf, textIn, useSearchState } from '../../../lib/search-state.ts'
import { useAction } from '../../../lib/use-action.ts'
import { DescriptionList } from '../../../ui/admin/DescriptionList.tsx'
import { ChoiceFilter } from '../../../ui/admin/list/ChoiceFilter.tsx'
import { ListPage } from '../../../ui/admin/list/ListPage.tsx'
import { wholeList } from '../../../ui/admin/list/use-list.ts'
import { PanelPart, SidePanel } from '../../../ui/admin/SidePanel.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { AgainIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { SettingsTabs } from '../SettingsTabs.tsx'
import { languageName, TemplatePreview } from './TemplatePreview.tsx'
import { RejectedReason, TemplateStatus, templateStatuses } from './TemplateStatus.tsx'

const languages = ['ar', 'en'] as const
const shape = { q: textIn(100), lang: oneOf(languages), open: idIn }

const qualities = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const
const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const

function TemplatesPage() {
  const t = useT()
  const queries = useQueryClient()
  const [state, setState] = useSearchState(shape)
  const { busy, run } = useAction(() =>
    toast({ title: t('templates.syncFailed'), text: t('templates.syncFailed.hint') }),
  )
  const query = useQuery(read(listTemplates))
  const columns = useTemplateColumns()
  const sought = state.q.toLowerCase()
  const rows = query.data?.filter(
    ({ name, body, language }) =>
      `${name} ${body}`.toLowerCase().includes(sought) && (!state.lang || language.startsWith(state.lang)),
  )
  const open = query.data?.find(({ id }) => id === state.open)
  const sync = () =>
    run(async () => {
      const { added, changed, removed } = await call(syncTemplates, {})
      toast({ title: t('templates.synced', { added, changed, removed }) })
    }).finally(() => void queries.invalidateQueries({ queryKey: [listTemplates.path] }))
  return (
    <ListPage
      title={t('templates.title')}
      subtitle={query.data && t('templates.count', { count: query.data.length })}
      head={<SettingsTabs current="templates" />}
      search={t('templates.search')}
      filters={
        <ChoiceFilter
          label={t('templates.language')}
          values={state.lang ? [state.lang] : []}
          options={languages.map((value) => ({ value, label: t(`templates.language.${value}`) }))}
          onChange={([lang]) => setState({ lang: languages.find((one) => one === lang) })}
        />
      }
      tools={
        <ToolbarButton icon={AgainIcon} onClick={() => busy || void sync()}>
          {t(busy ? 'templates.syncing' : 'templates.sync')}
        </ToolbarButton>
      }
      list={{
        ...wholeList(query, rows),
        search: { value: state.q, onChange: (q) => setState({ q }, { replace: true }) },
      }}
      panel={open && <TemplatePanel template={open} onClose={() => setState({ open: undefined })} />}
      label={t('templates.title')}
      columns={open ? columns.filter(({ key }) => key !== 'body') : columns}
      rowKey={({ id }) => String(id)}
      rowLabel={({ name }) => name}
      openKey={open ? String(open.id) : undefined}
      onOpen={({ id }) => setState({ open: id })}
      isDim={({ isSelectable }) => !isSelectable}
      empty={
        query.data?.length ? (
          <EmptyState title={t('templates.noneFound')} text={t('templates.noneFound.hint')}>
            <Button onClick={() => setState({ q: '', lang: undefined })}>{t('templates.showAll')}</Button>
          </EmptyState>
        ) : (
          <EmptyState title={t('templates.empty')} text={t('templates.empty.hint')}>
            <Button tone="gulf" icon={AgainIcon} busy={busy} onClick={() => void sync()}>
              {t('templates.sync')}
            </Button>
          </EmptyState>
        )
      }
      cardLines={3}
      renderCard={(template) => (
        <div className="grid gap-1.5">
          <div className="flex items-start justify-between gap-3">
            <bdi dir="auto" className="min-w-0 font-strong wrap-anywhere">
              {template.name}
            </bdi>
            <TemplateStatus status={template.status} />
          </div>
          <p dir="auto" className="line-clamp-2 text-as-page text-ink-2">
            {template.body}
          </p>
          <span className="text-caption text-ink-3">{languageName(t, template.language)}</span>
        </div>
      )}
    />
  )
}

function useTemplateColumns(): Column<Template>[] {
  const t = useT()
  return [
    {
      key: 'name',
      title: t('templates.name'),
      width: 190,
      cell: ({ name }) => (
        <bdi dir="ltr" className="block truncate text-as-page leading-[1.7] font-strong">
          {name}
        </bdi>
      ),
    },
    { key: 'language', title: t('templates.language'), width: 110, cell: (one) => languageName(t, one.language) },
    {
      key: 'category',
      title: t('templates.category'),
      width: 120,
      from: 'desk',
      cell: ({ category }) => {
        const known = categories.find((one) => one === category)
        return known ? t(`templates.category.${known}`) : category
      },
    },
    { key: 'status', title: t('templates.status'), width: 130, cell: (one) => <TemplateStatus status={one.status} /> },
    {
      key: 'body',
      title: t('templates.body'),
      from: 'lg',
      cell: ({ body }) => (
        <span dir="auto" className="block truncate text-as-page leading-[1.7] text-ink-2">
          {body}
        </span>
      ),
    },
  ]
}

/** Newest changes in the panel. */
const SHOWN_CHANGES = 10

/** States with a hint about what to do or wait for. */
const nextSteps = ['PENDING', 'IN_APPEAL', 'REJECTED', 'PAUSED', 'DISABLED', 'DELETED'] as const

function TemplatePanel({ template, onClose }: { template: Template; onClose(): void }) {
  const { t, lang } = useLanguage()
  const category = categories.find((one) => one === template.category)
  const next = nextSteps.find((one) => one === template.status)
  return (
    <SidePanel label={t('templates.one')} title={<bdi dir="ltr">{template.name}</bdi>} onClose={onClose}>
      <PanelPart>
        <TemplatePreview template={template} />
      </PanelPart>
      <PanelPart>
        <DescriptionList
          items={[
            [t('templates.status'), <TemplateStatus key="status" status={template.status} />],
            ...(template.rejectedReason === null
              ? []
              : [[t('templates.reason'), <RejectedReason key="reason" reason={template.rejectedReason} />] as const]),
            [t('templates.language'), languageName(t, template.language)],
            [t('templates.category'), category ? t(`templates.category.${category}`) : template.category],
            [t('templates.quality'), template.quality && wordOf(t, 'quality', template.quality)],
            [t('templates.nextCategory'), template.nextCategory && wordOf(t, 'category', template.nextCategory)],
            [t('templates.variables'), t('templates.variables.count', { count: template.variables.length })],
            [
              t('templates.syncedAt'),
              template.syncedAt ? formatDateTime(new Date(template.syncedAt), lang) : t('templates.gone'),
            ],
          ]}
        />
        {template.nextCategory && <p className="mt-3 text-ink-2">{t('templates.nextCategory.hint')}</p>}
        {!template.isSelectable && (
          <p className="mt-3 text-ink-2">
            {t('templates.notSelectable')} {next && t(`templates.next.${next}`)}{' '}
            {template.unfillable && t(`templates.unfillable.${template.unfillable}`)}
          </p>
        )}
      </PanelPart>
      {template.changes.length > 0 && <Changes template={template} />}
    </SidePanel>
  )
}

/** The word for a value that WhatsApp reports; unknown ones as they are. */
function wordOf(t: Translate, field: 'status' | 'quality' | 'category', value: string): string {
  const status = templateStatuses.find((one) => one === value)
  const quality = qualities.find((one) => one === value)
  const category = categories.find((one) => one === value)
  if (field === 'status' && status) return t(`templates.status.${status}`)
  if (field === 'quality' && quality) return t(`templates.quality.${quality}`)
  return field === 'category' && category ? t(`templates.category.${category}`) : value
}

function Changes({ template: { changes } }: { template: Template }) {
  const { t, lang } = useLanguage()
  return (
    <PanelPart>
      <h3 className="mb-2 font-strong">{t('templates.changes')}</h3>
      <ol className="grid gap-2">
        {changes.slice(0, SHOWN_CHANGES).map(({ field, to, reason, at }) => (
          <li key={`${field} ${at} ${to}`}>
            {t(`templates.change.${field}`)}:{' '}
            <bdi>{to === null ? '—' : wordOf(t, field === 'next-category' ? 'category' : field, to)}</bdi>
            {reason && (
              <span className="text-ink-2">
                {' '}
                (<RejectedReason reason={reason} />)
              </span>
            )}
            <span className="block text-caption text-ink-3">{formatDateTime(new Date(at), lang)}</span>
          </li>
        ))}
      </ol>
    </PanelPart>
  )
}

export const page: Page = {
  Component: TemplatesPage,
  showsWaiting: true,
  load: ({ queries }) => queries.ensureQueryData(read(listTemplates)),
  head: ({ t }) => ({ title: t('templates.title'), hidden: true }),
}
