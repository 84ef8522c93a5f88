// The text of the subscription pages.
import type { Locale } from '../../domain/values/locale.ts'

export type SubscribeMessages = {
  title: (name: string) => string
  text: string
  address: string
  addressRefused: string
  components: string
  componentsHint: string
  subscribe: string
  sentTitle: string
  sentText: string
  tooMany: string
  confirmTitle: string
  confirmText: (name: string) => string
  confirm: string
  subscribedTitle: string
  subscribedText: (name: string) => string
  deadTitle: string
  deadText: string
  manageTitle: string
  manageText: (name: string) => string
  save: string
  saved: string
  unsubscribe: string
  unsubscribeTitle: string
  unsubscribeText: (name: string) => string
  goneTitle: string
  goneText: (name: string) => string
  toPage: string
}

const en: SubscribeMessages = {
  title: (name) => `Updates from ${name}`,
  text: 'Incidents and maintenance, by e-mail. Every mail has a link to unsubscribe.',
  address: 'E-mail address',
  addressRefused: 'Write it like name@example.com.',
  components: 'Only about',
  componentsHint: 'Choose none to hear of everything.',
  subscribe: 'Subscribe',
  sentTitle: 'Look into your mailbox',
  sentText: 'A mail is on its way to this address. Confirm it within two days, and updates begin.',
  tooMany: 'Too many came from where you are. Try again in ten minutes.',
  confirmTitle: 'Confirm your subscription',
  confirmText: (name) => `${name} then sends updates to your address.`,
  confirm: 'Confirm',
  subscribedTitle: 'You are subscribed',
  subscribedText: (name) => `The next update of ${name} comes to your address.`,
  deadTitle: 'This link no longer works',
  deadText: 'It was for somebody who has unsubscribed, or it was not confirmed within two days.',
  manageTitle: 'Your subscription',
  manageText: (name) => `What ${name} sends to your address.`,
  save: 'Save',
  saved: 'Saved.',
  unsubscribe: 'Unsubscribe',
  unsubscribeTitle: 'Unsubscribe?',
  unsubscribeText: (name) => `${name} then sends nothing more, and your address is removed.`,
  goneTitle: 'You are unsubscribed',
  goneText: (name) => `${name} sends nothing more. Your address was removed.`,
  toPage: 'To the status page',
}

const de: SubscribeMessages = {
  title: (name) => `Meldungen von ${name}`,
  text: 'Störungen und Wartungen per E-Mail. Jede Nachricht hat einen Link zum Abbestellen.',
  address: 'E-Mail-Adresse',
  addressRefused: 'Schreiben Sie sie wie name@example.com.',
  components: 'Nur über',
  componentsHint: 'Ohne Auswahl erfahren Sie alles.',
  subscribe: 'Abonnieren',
  sentTitle: 'Sehen Sie in Ihr Postfach',
  sentText:
    'Eine Nachricht ist an diese Adresse unterwegs. Bestätigen Sie sie innerhalb von zwei Tagen, dann beginnen die Meldungen.',
  tooMany: 'Von Ihrem Anschluss kamen zu viele Anfragen. Versuchen Sie es in zehn Minuten wieder.',
  confirmTitle: 'Abonnement bestätigen',
  confirmText: (name) => `${name} sendet dann Meldungen an Ihre Adresse.`,
  confirm: 'Bestätigen',
  subscribedTitle: 'Sie haben abonniert',
  subscribedText: (name) => `Die nächste Meldung von ${name} kommt an Ihre Adresse.`,
  deadTitle: 'Dieser Link gilt nicht mehr',
  deadText: 'Das Abonnement wurde abbestellt oder nicht innerhalb von zwei Tagen bestätigt.',
  manageTitle: 'Ihr Abonnement',
  manageText: (name) => `Was ${name} an Ihre Adresse sendet.`,
  save: 'Speichern',
  saved: 'Gespeichert.',
  unsubscribe: 'Abbestellen',
  unsubscribeTitle: 'Abbestellen?',
  unsubscribeText: (name) => `${name} sendet dann nichts mehr, und Ihre Adresse wird entfernt.`,
  goneTitle: 'Sie haben abbestellt',
  goneText: (name) => `${name} sendet nichts mehr. Ihre Adresse wurde entfernt.`,
  toPage: 'Zur Statusseite',
}

const fr: SubscribeMessages = {
  title: (name) => `Messages de ${name}`,
  text: 'Incidents et maintenances, par e-mail. Chaque message contient un lien pour se désabonner.',
  address: 'Adresse e-mail',
  addressRefused: 'Écrivez-la comme nom@example.com.',
  components: 'Seulement sur',
  componentsHint: 'Sans choix, vous recevez tout.',
  subscribe: 'S’abonner',
  sentTitle: 'Consultez votre boîte de réception',
  sentText:
    'Un message est en route vers cette adresse. Confirmez-le dans les deux jours et les envois commencent.',
  tooMany: 'Trop de demandes viennent de votre connexion. Réessayez dans dix minutes.',
  confirmTitle: 'Confirmez votre abonnement',
  confirmText: (name) => `${name} enverra alors ses messages à votre adresse.`,
  confirm: 'Confirmer',
  subscribedTitle: 'Vous êtes abonné',
  subscribedText: (name) => `Le prochain message de ${name} arrivera à votre adresse.`,
  deadTitle: 'Ce lien ne fonctionne plus',
  deadText: 'L’abonnement a été résilié, ou n’a pas été confirmé dans les deux jours.',
  manageTitle: 'Votre abonnement',
  manageText: (name) => `Ce que ${name} envoie à votre adresse.`,
  save: 'Enregistrer',
  saved: 'Enregistré.',
  unsubscribe: 'Se désabonner',
  unsubscribeTitle: 'Se désabonner ?',
  unsubscribeText: (name) => `${name} n’enverra plus rien et votre adresse sera supprimée.`,
  goneTitle: 'Vous êtes désabonné',
  goneText: (name) => `${name} n’envoie plus rien. Votre adresse a été supprimée.`,
  toPage: 'Vers la page d’état',
}

const es: SubscribeMessages = {
  title: (name) => `Avisos de ${name}`,
  text: 'Incidencias y mantenimientos por correo. Cada mensaje lleva un enlace para darse de baja.',
  address: 'Correo electrónico',
  addressRefused: 'Escríbalo como nombre@example.com.',
  components: 'Solo sobre',
  componentsHint: 'Sin elegir nada, recibirá todo.',
  subscribe: 'Suscribirse',
  sentTitle: 'Mire su buzón',
  sentText:
    'Un mensaje va de camino a esta dirección. Confírmelo en dos días y empezarán los avisos.',
  tooMany: 'Llegaron demasiadas peticiones desde su conexión. Inténtelo en diez minutos.',
  confirmTitle: 'Confirme su suscripción',
  confirmText: (name) => `${name} enviará entonces sus avisos a su dirección.`,
  confirm: 'Confirmar',
  subscribedTitle: 'Está suscrito',
  subscribedText: (name) => `El próximo aviso de ${name} llegará a su dirección.`,
  deadTitle: 'Este enlace ya no funciona',
  deadText: 'La suscripción se canceló o no se confirmó en dos días.',
  manageTitle: 'Su suscripción',
  manageText: (name) => `Lo que ${name} envía a su dirección.`,
  save: 'Guardar',
  saved: 'Guardado.',
  unsubscribe: 'Cancelar la suscripción',
  unsubscribeTitle: '¿Cancelar la suscripción?',
  unsubscribeText: (name) => `${name} no enviará nada más y su dirección se borrará.`,
  goneTitle: 'Suscripción cancelada',
  goneText: (name) => `${name} no envía nada más. Su dirección se ha borrado.`,
  toPage: 'A la página de estado',
}

const ja: SubscribeMessages = {
  title: (name) => `${name} のお知らせ`,
  text: '障害とメンテナンスをメールでお知らせします。どのメールからも購読を解除できます。',
  address: 'メールアドレス',
  addressRefused: 'name@example.com のように入力してください。',
  components: '対象を絞る',
  componentsHint: '何も選ばない場合は、すべてをお知らせします。',
  subscribe: '購読する',
  sentTitle: 'メールをご確認ください',
  sentText: 'このアドレスにメールを送信しています。2日以内に確認すると、配信が始まります。',
  tooMany: 'お使いの接続からの申し込みが多すぎます。10分後にもう一度お試しください。',
  confirmTitle: '購読の確認',
  confirmText: (name) => `確認すると、${name} のお知らせがこのアドレスに届きます。`,
  confirm: '確認する',
  subscribedTitle: '購読が始まりました',
  subscribedText: (name) => `次のお知らせから、${name} のメールが届きます。`,
  deadTitle: 'このリンクは無効です',
  deadText: '購読が解除されたか、2日以内に確認されませんでした。',
  manageTitle: '購読の設定',
  manageText: (name) => `${name} から届くお知らせを選べます。`,
  save: '保存',
  saved: '保存しました。',
  unsubscribe: '購読を解除する',
  unsubscribeTitle: '購読を解除しますか',
  unsubscribeText: (name) => `${name} からのメールは届かなくなり、アドレスは削除されます。`,
  goneTitle: '購読を解除しました',
  goneText: (name) => `${name} からのメールは届きません。アドレスは削除されました。`,
  toPage: 'ステータスページへ',
}

const BY_LOCALE: Readonly<Record<Locale, SubscribeMessages>> = { en, de, fr, es, ja }

export function subscribeMessagesOf(locale: Locale): SubscribeMessages {
  return BY_LOCALE[locale]
}
