import { bulkFields } from '@qatra/contract/products/bulk'

/** Byte order mark, for spreadsheets that otherwise misread Arabic. */
const BOM = '\ufeff'
const quoted = (cell: string | number) =>
  /[",\r\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell

/** Three sample products of this vendor. */
export function bulkTemplate(vendorId: number): string {
  const rows = [
    [
      vendorId,
      'Spring water',
      '1.500',
      '500ml',
      'https://example.com/spring-500.jpg',
      'مياه الينبوع',
      'Still water',
      'مياه ساكنة',
      0,
      'true',
      'Carton',
      'كرتون',
      24,
    ],
    [
      vendorId,
      'Spring water',
      '1.900',
      '1.5L',
      'https://example.com/spring-1500.jpg',
      'مياه الينبوع',
      '',
      '',
      0,
      'true',
      'Pack',
      'حزمة',
      6,
    ],
    [
      vendorId,
      'Sparkling water',
      '2.400',
      '330ml',
      'https://example.com/sparkling-330.jpg',
      'مياه فوارة',
      'With fine bubbles, no sugar',
      'بفقاعات ناعمة، بلا سكر',
      10,
      'false',
      'Case',
      'صندوق',
      12,
    ],
  ]
  return BOM + [bulkFields, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('')
}
