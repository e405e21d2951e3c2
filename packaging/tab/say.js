// The shell's sentences; the page's own come from the board.

const WORDS = {
  en: {
    tale: 'A cribbage board without pegs: it knows the rules of ten games, counts your hands and plays against you. Everything stays in this browser.',
    play: 'Play',
    loading: 'Loading: {} %',
    starting: 'The board starts.',
    opening: 'Your games are opened.',
    ready: 'The board is ready.',
    elsewhere: 'The board is open in another tab. It continues here when you close that tab.',
    failed: 'The board could not start: {}',
    again: 'Try again',
    old: 'this browser is too old. It needs WebAssembly and Web Locks, as in Chrome 80, Firefox 114, Safari 16.4 or later.',
    full: 'The browser has no room for your games. The board keeps every line and tries again; free some space, or save a copy in the set-up.',
    'not-kept': 'This browser keeps no games, as in a private window. Save a copy in the set-up before you close it.',
    'not-persisted': 'The browser may delete your games if space runs out. Add the page to the home screen, or save a copy in the set-up.',
    'no-player': 'The computer player could not start: {}',
    understood: 'OK',
    copies: 'Your games',
    'copies-how': 'Your games are kept in this browser. A copy is a file that any boardctl board opens.',
    save: 'Save a copy',
    open: 'Open a copy',
    'open-how': 'The games of the copy replace those in this browser.',
    refused: 'The copy was not opened: {}',
    licences: 'Licences',
    back: 'To the board',
  },
  ja: {
    tale: 'ペグのいらないクリベッジ盤です。10 種類のゲームのルールを知り、手を数え、あなたと対戦します。すべてこのブラウザの中だけで動きます。',
    play: '遊ぶ',
    loading: '読み込み中: {} %',
    starting: '盤を起動しています。',
    opening: 'ゲームの記録を開いています。',
    ready: '盤の準備ができました。',
    elsewhere: '盤は別のタブで開いています。そのタブを閉じると、ここで続けられます。',
    failed: '盤を起動できませんでした: {}',
    again: 'もう一度',
    old: 'このブラウザは古すぎます。WebAssembly と Web Locks が必要です (Chrome 80、Firefox 114、Safari 16.4 以降)。',
    full: 'ブラウザに記録を保存する空きがありません。盤はすべての行を保持して再試行します。空きを作るか、設定でコピーを保存してください。',
    'not-kept': 'このブラウザは記録を保存しません (プライベートウィンドウなど)。閉じる前に設定でコピーを保存してください。',
    'not-persisted': '空きが足りなくなると、ブラウザが記録を削除することがあります。ホーム画面に追加するか、設定でコピーを保存してください。',
    'no-player': 'コンピュータの相手を起動できませんでした: {}',
    understood: 'OK',
    copies: 'ゲームの記録',
    'copies-how': '記録はこのブラウザに保存されています。コピーは、どの boardctl の盤でも開けるファイルです。',
    save: 'コピーを保存',
    open: 'コピーを開く',
    'open-how': 'このブラウザの記録は、コピーの記録に置き換わります。',
    refused: 'コピーを開けませんでした: {}',
    licences: 'ライセンス',
    back: '盤へ',
  },
};

const wanted = new URLSearchParams(location.search).get('lang') ?? navigator.language;
export const language = wanted.startsWith('ja') ? 'ja' : 'en';

// A sentence by its code, with what it is about.
export const say = (code, what = '') => WORDS[language][code].replace('{}', String(what));
