import { listTemplates, syncTemplates, type Template } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Page } from '../../../app/page.ts'
import { call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { idIn, oneOf, textIn, useSearchState } from '../../../lib/search-state.ts'
import { useAction } from '../../../lib/use-action.ts'
import { ChoiceFilter } from '../../../ui/admin/list/ChoiceFilter.tsx'
import { ListPage } from '../../../ui/admin/list/ListPage.tsx'
import { wholeList } from '../../../ui/admin/list/use-list.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { AgainIcon, PlusIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { SettingsTabs } from '../SettingsTabs.tsx'
import { languageName } from './TemplatePreview.tsx'
import { categories, TemplatePanel } from './TemplatePanel.tsx'
import { TemplateStatus, templateStatuses } from './TemplateStatus.tsx'

const languages = ['ar', 'en'] as const
const shape = {
  q: textIn(100),
  lang: oneOf(languages),
  kind: oneOf(categories),
  status: oneOf(templateStatuses),
  open: idIn,
}

/** The review of most templates takes minutes. */
const everyMs = (templates: readonly Template[] | undefined) =>
  templates?.some(({ status }) => status === 'PENDING') ? 5_000 : false

function TemplatesPage() {
  const t = useT()
  const queries = useQueryClient()
  const [state, setState] = useSearchState(shape)
  const { busy, run } = useAction(() =>
    toast({ title: t('templates.syncFailed'), text: t('templates.syncFailed.hint') }),
  )
  const query = useQuery({ ...read(listTemplates), refetchInterval: ({ state }) => everyMs(state.data) })
  const columns = useTemplateColumns()
  const sought = state.q.toLowerCase()
  const rows = query.data?.filter(
    ({ name, body, language, category, status }) =>
      `${name} ${body}`.toLowerCase().includes(sought) &&
      (!state.lang || language.startsWith(state.lang)) &&
      (!state.kind || category === state.kind) &&
      (!state.status || status === state.status),
  )
  const there = templateStatuses.filter((one) => query.data?.some(({ status }) => status === one))
  const open = query.data?.find(({ id }) => id === state.open)
  const sync = () =>
    run(async () => {
      const { added, changed, removed } = await call(syncTemplates, {})
      toast({ title: t('templates.synced', { added, changed, removed }) })
    }).finally(() => void queries.invalidateQueries({ queryKey: [listTemplates.path] }))
  const newLink = (
    <Link to="/admin/whatsapp/templates/new" className={buttonClass('gulf', 'small')}>
      <PlusIcon size={18} aria-hidden="true" />
      {t('templates.new')}
    </Link>
  )
  return (
    <ListPage
      title={t('templates.title')}
      subtitle={query.data && t('templates.count', { count: query.data.length })}
      actions={newLink}
      head={<SettingsTabs current="templates" />}
      search={t('templates.search')}
      filters={
        <>
          <ChoiceFilter
            label={t('templates.category')}
            values={state.kind ? [state.kind] : []}
            options={categories.map((value) => ({ value, label: t(`templates.category.${value}`) }))}
            onChange={([kind]) => setState({ kind })}
          />
          <ChoiceFilter
            label={t('templates.status')}
            values={state.status ? [state.status] : []}
            options={there.map((value) => ({ value, label: t(`templates.status.${value}`) }))}
            onChange={([status]) => setState({ status })}
          />
          <ChoiceFilter
            label={t('templates.language')}
            values={state.lang ? [state.lang] : []}
            options={languages.map((value) => ({ value, label: t(`templates.language.${value}`) }))}
            onChange={([lang]) => setState({ lang })}
          />
        </>
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
            <Button onClick={() => setState({ q: '', lang: undefined, kind: undefined, status: undefined })}>
              {t('templates.showAll')}
            </Button>
          </EmptyState>
        ) : (
          <EmptyState title={t('templates.empty')} text={t('templates.empty.hint')}>
            {newLink}
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
        <span dir="auto" className="line-clamp-2 text-as-page leading-[1.7] whitespace-normal text-ink-2">
          {body}
        </span>
      ),
    },
  ]
}

export const page: Page = {
  Component: TemplatesPage,
  showsWaiting: true,
  load: ({ queries }) => queries.ensureQueryData(read(listTemplates)),
  head: ({ t }) => ({ title: t('templates.title'), hidden: true }),
}
