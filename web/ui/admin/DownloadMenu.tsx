import { Menu as Base } from '@base-ui/react/menu'
import { workbookPath } from '@qatra/contract/endpoint'
import { addressOf } from '../../lib/api-client.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { DownloadIcon } from '../icons.tsx'
import { MenuPopup } from './Menu.tsx'
import { ToolbarButton } from './ToolbarButton.tsx'

export interface Download {
  /** An endpoint of a table: `….csv`. */
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
}

interface DownloadMenuProps extends Download {
  /** Whether the file can have a row for each line, too (`rows` in the query). */
  hasLines?: boolean
  className?: string
}

/** The table as an Excel workbook or as a CSV file, with the filters of the page. */
export function DownloadMenu({ path, params = {}, query = {}, hasLines = false, className }: DownloadMenuProps) {
  const { t, lang } = useLanguage()
  const formats = ['xlsx', 'csv'] as const
  const choices = [
    ...formats.map((format) => ({ format, words: t(`admin.download.${format}`), more: {} })),
    ...(hasLines ? formats : []).map((format) => {
      return { format, words: t(`admin.download.${format}.lines`), more: { rows: 'lines' } }
    }),
  ]
  return (
    <MenuPopup
      label={t('admin.download')}
      trigger={
        <ToolbarButton icon={DownloadIcon} {...(className === undefined ? {} : { className })}>
          {t('admin.download')}
        </ToolbarButton>
      }
      side="bottom"
      align="end"
      className={hasLines ? 'w-72' : 'w-50'}
    >
      {choices.map(({ format, words, more }) => (
        <Base.Item
          key={words}
          render={
            <a
              download
              href={addressOf(format === 'csv' ? path : workbookPath(path), {
                params,
                query: { ...query, ...more, lang },
              })}
            >
              {words}
            </a>
          }
          className="flex h-tap cursor-pointer items-center rounded-s px-3 text-ink data-highlighted:bg-well"
        />
      ))}
    </MenuPopup>
  )
}
