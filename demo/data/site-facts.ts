/** Settings of the demo shop, with reserved values: block 999, the demo phone range, `.example` domains. */
export const siteFacts: Readonly<Record<string, string>> = {
  'company.name': 'Qatra Water Marketplace W.L.L.',
  'company.nameAr': 'قطرة لتسويق المياه ذ.م.م',
  'company.address': 'Office 21, Building 100, Road 90, Block 999, Manama, Kingdom of Bahrain',
  'company.addressAr': 'مكتب 21، مبنى 100، طريق 90، مجمع 999، المنامة، مملكة البحرين',
  'company.crNumber': '999000-1',
  'company.vatNumber': '999999999900000',
  'support.phone': '+97336001000',
  'support.whatsapp': '+97336001000',
  'support.email': 'help@qatra.example',
  'support.hours': 'Saturday to Thursday, 8:00 am to 8:00 pm',
  'support.hoursAr': 'السبت إلى الخميس، من 8:00 ص إلى 8:00 م',
  'support.opensAt': '08:00',
  'support.closesAt': '20:00',
  'social.instagram': 'https://instagram.example/qatra.bh',
  'apps.ios': 'https://apps.example/ios/qatra',
  'apps.android': 'https://apps.example/android/qatra',
}
