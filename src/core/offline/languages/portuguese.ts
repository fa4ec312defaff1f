import type { Language } from './language.js'

const show = '((mostra|mostre|mostra-me|mostre-me|lista|liste|encontra|encontre|dá-me|me dê|busca|busque|ver) )?'
const notes = '(todas )?(as |as minhas |minhas )?(notas|páginas|arquivos|ficheiros)'
const the = '((a|minha|esta|a minha) (nota|página) |o (arquivo|ficheiro) |nota )?'
const howMany = 'quantas (notas|páginas)'
const tasks = '(tarefas|pendências)( (abertas|pendentes|por fazer|em aberto|não concluídas))?'
const journal =
  '(a |o )?(minha |meu )?(nota (diária|do dia)|diário|nota de (?<date>hoje|ontem|amanhã)|nota de (?<date2>\\d{4}-\\d\\d-\\d\\d))( de hoje)?'
const aTask = '(uma |a )?(nova )?tarefa:? '
const newNote =
  '(cria|crie|criar|escreve|escreva|faz|faça|adiciona|adicione) (uma |a )?(nova )?(nota|página) (chamada |intitulada |com o título )?'

export const portuguese: Language = {
  code: 'pt',
  words: `a ao aos as até com como da das de do dos e é ela ele em então era essa esse esta este está eu faz foi há isso isto já lhe
    mais mas me meu meus minha minhas muito na não nas no nos nós nossa nosso o onde os ou para pela pelo por porque qual quais quando
    quanta quantas quanto quantos que quem se sem ser seu sobre sua são também te tem tenho um uma uns você chamada`,
  noteWords: 'nota notas página páginas documento apontamentos',
  frame: `nota notas página páginas documento diz dizem disse escrevi escrito escreveu escrita anotei fala falam menciona mencionam
    descreve explica explicar encontra encontrar mostra busca lembra aprendi preciso quero saber fazer faço faz funciona significa
    possível maneira forma jeito bem boa melhor coisa coisas tipo`,
  politeBefore:
    'por favor|(?:podes|pode|poderia|podias|você pode)|quero|queria|gostaria de|agora|olá notewright|notewright',
  politeAfter: 'por favor|se faz favor|obrigad[oa]',
  thisNote: 'esta (?:nota|página)|a nota (?:aberta|atual)|este (?:arquivo|ficheiro)',
  command:
    '(?:renomeia|renomeie|renomear|move|mova|mover|apaga|apague|apagar|exclui|exclua|excluir|elimina|elimine|junta|junte|ordena|ordene|arquiva|arquive|substitui|substitua|copia|copie|exporta|exporte) (?:todas?|todos|cada) ',
  forms: {
    undo: ['(desfaz|desfaça|desfazer)( (isso|isto|tudo|a (última )?(alteração|mudança)))?'],
    help: [
      '(olá|oi|bom dia|boa tarde|boa noite)( notewright)?',
      'ajuda',
      '(me ajude|ajuda-me|ajude-me)',
      'o que (você pode|podes|posso|sabes|você sabe|pode) fazer( aqui)?',
      'quem é você',
      'quem és( tu)?',
      'como (isto|isso) funciona',
    ],
    thanks: ['(muito )?obrigad[oa]', '(perfeito|ótimo|muito bem|tchau|adeus|valeu)'],
    search: [
      '(busca|busque|buscar|procura|procure|procurar|pesquisa|pesquise)( nas (minhas )?notas)?( por)?:? {query}',
      '(encontra|encontre|encontrar)( (todas )?(as |as minhas )?(notas|páginas) (sobre|acerca de))? {query}',
      '(notas|páginas) (sobre|acerca de) {query}',
    ],
    listTags: [
      `${show}(todas )?(as |minhas |as minhas )?(etiquetas|tags)`,
      '(quais|que) (são as |são as minhas )?(etiquetas|tags)( (existem|há|tenho|uso))?',
    ],
    randomNote: [
      `${show}uma nota (aleatória|ao acaso)( com (a )?(etiqueta|tag) {tags})?`,
      `${show}uma nota (aleatória|ao acaso) (da|na) (pasta )?{folder}`,
    ],
    taggedNotes: [
      `${show}${notes} (com|que têm) (a |as )?(etiquetas?|tags?) {tags}`,
      `${show}${notes} (com |marcadas (com |como )?)?(?=#){tags}`,
      `${show}${notes} (marcadas|etiquetadas) (com|como) {tags}`,
      'que notas têm (a )?(etiqueta|tag) {tags}',
    ],
    notesInFolder: [
      `${show}${notes} (na|da) pasta {folder}`,
      `(mostra|mostre|lista|liste) ${notes} (em|na|de) {folder}`,
      '(o que|que notas|quais notas) (há|existem|tem) (na pasta|em) {folder}',
    ],
    countTagged: [
      `${howMany} (têm|há com|tenho com|com|existem com) (a )?(etiqueta |tag )?(?=#){tags}`,
      `${howMany} (têm|há com|tenho com|com) (a )?(etiqueta|tag) {tags}`,
    ],
    countAll: [
      `${howMany} (tenho|há|existem|temos|eu tenho)( no total| no cofre| ao todo)?`,
      '(número|total) de notas',
    ],
    countInFolder: [`${howMany} (há |tenho |existem |estão )?(na pasta|em) {folder}`],
    countAbout: [`${howMany} (há |tenho |existem )?(sobre|acerca de|falam de|falam sobre|mencionam|contêm) {topic}`],
    backlinks: [
      `(o que|quem|(que|quais) (notas|páginas)) (liga|ligam|aponta|apontam|leva|levam|têm links?|tem links?|fazem link) (a|para|à) ${the}{note}`,
      `${show}(os |todos os )?(backlinks|links de entrada|retroligações) (de|para|da) ${the}{note}`,
    ],
    forwardLinks: [
      `para (onde|o que) (aponta|liga|leva) ${the}{note}`,
      `${show}(os |todos os )?(links|ligações)( de saída)? (de|em|da|na) ${the}{note}`,
    ],
    tasksDue: [
      `${show}(todas )?(as |minhas )?${tasks} (para|de|que vencem) {time}`,
      '(o que|que tarefas|quais tarefas) (vence|vencem|tenho|há) (para )?{time}',
      'o que (tenho|devo|preciso|há) (que |de |para )?fazer {time}',
      `${show}(todas )?(as |minhas )?tarefas (?<time2>atrasadas|vencidas)`,
    ],
    tasks: [
      `${show}(todas )?(as |minhas |as minhas )?${tasks} (em|na|de|da) ${the}{note}`,
      `${show}(todas )?(as |minhas |as minhas )?${tasks}`,
      '(quais|que) (são as |são as minhas )?tarefas( (abertas|pendentes))?( (tenho|há|faltam))?( (abertas|pendentes|por fazer))?',
      'o que (tenho|falta|me falta|preciso|ainda tenho)( que| de| para)? fazer',
      'quantas tarefas( abertas| pendentes)? (tenho|há|faltam)( pendentes)?',
    ],
    tickTask: [
      '(marca|marque|marcar) (a )?(tarefa )?{task} como (feita|concluída|feito|concluído|terminada)',
      '(conclui|conclua|concluir|termina|termine) (a )?tarefa {task}',
    ],
    readNote: [
      `(abre|abra|abrir) ${the}{note}`,
      `(lê|leia|ler) (?=(a|minha|esta) (nota|página) |\\[\\[|["«“])${the}{note}`,
    ],
    showNote: [`(mostra|mostre|mostra-me|mostre-me) (?=(a|minha|esta) (nota|página) |\\[\\[|["«“])${the}{note}`],
    recentNotes: [
      `${show}(as )?(minhas )?((últimas|recentes) notas|notas (recentes|modificadas recentemente|mais recentes))`,
      'o que (mudou|há de novo)( recentemente| ultimamente)?',
    ],
    notesOfTime: [
      'o que (eu )?(escrevi|anotei|fiz|alterei|mudei) {time}',
      'o que (eu )?(escrevi|anotei) {time} sobre {topic}',
      'o que (eu )?(escrevi|anotei) sobre {topic} {time}',
      `${show}${notes} (de|da|do|desde) {time} (sobre|acerca de) {topic}`,
      `${show}${notes} (de|da|do|desde) {time}`,
      'o que mudou {time}',
    ],
    compose: [
      '(cria|crie|escreve|escreva|redige|redija) (uma |um )?(nova |breve )?(nota|página|resumo|artigo|texto|ensaio|rascunho) (sobre|acerca de|de) {topic}',
      '(traduz|traduza|reescreve|reescreva|corrige|corrija|melhora|melhore|encurta|encurte) {topic}',
    ],
    createNote: [
      `${newNote}{note} na pasta {folder} com( o (texto|conteúdo))?:? {content}`,
      `${newNote}{note} com( o (texto|conteúdo))?:? {content}`,
      `${newNote}{note} na pasta {folder}`,
      `${newNote}{note}`,
      'nova nota:? {note}',
    ],
    addToDaily: [
      `(adiciona|adicione|adicionar|acrescenta|acrescente|escreve|escreva|anota|anote) ${aTask}{task} (à|na|ao|no) ${journal}`,
      `(adiciona|adicione|adicionar|acrescenta|acrescente|escreve|escreva|anota|anote) {content} (à|na|ao|no) ${journal}`,
    ],
    addToNote: [
      `(adiciona|adicione|adicionar|acrescenta|acrescente) ${aTask}{task} (a|à|em|na) ${the}{note}`,
      `(adiciona|adicione|adicionar|acrescenta|acrescente) {content} (a|à|em|na|ao fim de) ${the}{note} sob (o título |a seção |a secção )?{heading}`,
      `(adiciona|adicione|adicionar|acrescenta|acrescente) {content} (à nota|na nota|ao fim de|a|à|em|na) {note}`,
    ],
    renameNote: [`(renomeia|renomeie|renomear) ${the}{note} (para|como) {target}`],
    moveNote: [`(move|mova|mover) ${the}{note} para a pasta {folder}`, `(move|mova|mover) ${the}{note} para {target}`],
    deletePart: ['(apaga|apague|exclui|exclua|remove|remova) {note} (de|da|do|em) {place}'],
    deleteNote: [`(apaga|apague|apagar|exclui|exclua|excluir|elimina|elimine) ${the}{note}`],
    tagNote: [
      `(etiqueta|etiquete|etiquetar|marca|marque|marcar) ${the}{note} com (a etiqueta |as etiquetas |a tag )?{tags}`,
      `(adiciona|adicione|adicionar|põe|ponha) (a etiqueta|as etiquetas|a tag|as tags) {tags} (a|à) ${the}{note}`,
      `(adiciona|adicione) (?=#){tags} (a|à) ${the}{note}`,
    ],
    untagNote: [
      `(remove|remova|tira|tire|apaga|apague) (a etiqueta|as etiquetas|a tag|as tags) {tags} (de|da) ${the}{note}`,
      `(remove|remova|tira|tire|apaga|apague) (?=#){tags} (de|da) ${the}{note}`,
    ],
    setProperty: [
      `(define|defina|muda|mude|altera|altere) (a propriedade |o |a )?{property} (de|da) ${the}{note} (para|como) {value}`,
      `(remove|remova|apaga|apague) a propriedade {property} (de|da) ${the}{note}`,
    ],
  },
  times: [
    ['hoje', 'today'],
    ['ontem', 'yesterday'],
    ['anteontem', 'the day before yesterday'],
    ['amanhã', 'tomorrow'],
    ['atrasadas|vencidas', 'overdue'],
    ['(?:na |da |a )?semana passada|(?:na |a )?última semana', 'last week'],
    ['(?:n)?esta semana|(?:n)?essa semana', 'this week'],
    ['(?:na |a )?(?:próxima semana|semana que vem)', 'next week'],
    ['(?:no |do |o )?mês passado|(?:no |o )?último mês', 'last month'],
    ['(?:n)?este mês|(?:n)?esse mês', 'this month'],
    ['(?:no |o )?(?:próximo mês|mês que vem)', 'next month'],
    ['(?:no |do |o )?ano passado', 'last year'],
    ['(?:n)?este ano', 'this year'],
    ['(?:nos |os )?últimos (\\d{1,3}) dias', 'last $1 days'],
    ['(?:nas |as )?últimas (\\d{1,3}) semanas', 'last $1 weeks'],
    ['(?:nos |os )?últimos (\\d{1,3}) meses', 'last $1 months'],
    ['há (\\d{1,3}) dias', '$1 days ago'],
  ],
  months: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  examples: [
    'abrir [[{note}]]',
    'que notas apontam para {note}',
    'notas com #{tag}',
    'quantas notas há em {folder}',
    'tarefas pendentes',
    'o que escrevi na semana passada',
    'adicionar … à nota diária',
    'renomear {note} para …',
    'marcar {note} com …',
  ],
  say: {
    noModel: 'Nenhum modelo de linguagem está configurado',
    quotesInstead: '{noModel}; por isso cito as suas notas em vez de responder com palavras minhas. {setUp}',
    setUpModel: 'Para configurar um: {place}.',
    foundModels: 'Encontrados neste computador: {models}. Use um com {use}.',
    andMore: 'e mais {n}',
    chatOnly:
      '{noModel}. Sem modelo, posso pesquisar as suas notas, citá-las e executar pedidos simples, mas este chat não tem ferramentas. {setUp}',
    help: '{noModel}: pesquiso as suas notas, cito-as e executo pedidos simples. Faça uma pergunta ou, por exemplo:',
    helpEnd:
      'Pergunto antes de mudar qualquer coisa, e {undo} desfaz a mudança. Um modelo de linguagem pode fazer mais. {setUp}',
    notUnderstood: 'Sem um modelo de linguagem, não entendo este pedido. Estes funcionam, por exemplo:',
    needsModel:
      'Escrever um texto novo exige um modelo de linguagem, e nenhum está configurado. {setUp} Posso guardar as suas próprias palavras: `criar uma nota "Nome" com …`.',
    promptNeedsModel: 'O prompt /{name} contém instruções que exigem um modelo de linguagem. {setUp}',
    worksWithout: 'Sem modelo, posso pesquisar uma pergunta nas suas notas ou executar estes pedidos:',
    welcome: 'De nada.',
    fromNotes: 'Nas suas notas:',
    nothingAbout: 'Não encontrei nada sobre {topic} nas suas notas.',
    nothingAboutBut: 'Não encontrei nada sobre {topic} nas suas notas. Estes trechos mencionam {covered}:',
    mayNotAnswer: 'Estes trechos mencionam as suas palavras, mas talvez não respondam à pergunta:',
    tryOtherWords: 'Tente menos palavras ou outras palavras.',
    propertyLabel: 'Propriedade',
    or: '{a} ou {b}',
    undoHint: 'Para desfazer: {undo}.',
    nothingToUndo: 'Não mudei nada neste chat. Mudanças anteriores desfazem-se com {undo}; {history} mostra todas.',
    notDone: 'Não executado.',
    deniedByUser: 'O pedido foi recusado.',
    noSuchNote: 'A nota {note} não existe.',
    didYouMean: 'Seria uma destas?',
    whichNote: 'Não sei a que nota se refere. Diga o nome, por exemplo: `{example}`.',
    oneAtATime:
      'Parecem vários pedidos. Sem um modelo de linguagem, só consigo executar um de cada vez. Envie-os um a um.',
    quoteNames: 'Não distingo os dois nomes em {text}. Coloque-os entre aspas: `{example}`.',
    needsAgentMode:
      'Não executado: são precisos dois passos, e este modo só permite um. Peça de novo no modo agente ({mode}).',
    needsTool: 'Não executado: é precisa a ferramenta `{tool}`, que está desligada. Para ligá-la: {place}.',
    noToolsInMode:
      'Não executado: este modo não pode usar a ferramenta necessária. Peça de novo no modo agente ({mode}).',
    onlyWholeNotes: 'Só posso apagar notas inteiras. Se é o nome de uma nota, coloque-o entre aspas: `{example}`.',
    tagIsOneWord: 'Uma etiqueta é uma só palavra, sem espaços nem pontuação. Seria `#{tag}`?',
    alreadyExists: 'Não executado: {path} já existe. Acrescente texto com `{example}` ou escolha outro nome.',
    tags: 'Etiquetas e o número de notas:',
    tagged: 'Notas com {tags}:',
    noneTagged: 'Nenhuma nota tem {tags}.',
    inFolder: 'Notas em {folder}:',
    firstInFolder: 'As primeiras {n} notas em {folder}:',
    noneInFolder: 'Não há notas numa pasta {folder}.',
    countAll: ['Não há notas.', 'Há uma nota.', 'Há {n} notas.'],
    countInFolder: ['Não há notas em {folder}.', 'Há uma nota em {folder}.', 'Há {n} notas em {folder}.'],
    countTagged: ['Nenhuma nota tem {tags}.', 'Uma nota tem {tags}.', '{n} notas têm {tags}.'],
    countAbout: ['Nenhuma nota menciona {topic}.', 'Uma nota menciona {topic}:', '{n} notas mencionam {topic}:'],
    atLeast: 'pelo menos {n}',
    backlinks: [
      'Nenhuma outra nota aponta para {note}.',
      'Uma nota aponta para {note}:',
      '{n} notas apontam para {note}:',
    ],
    times: ['', '', '({n} links)'],
    links: 'Links em {note}:',
    noLinks: 'Não há links em {note}.',
    brokenLink: '(nota inexistente)',
    notesOf: 'Notas, {when}:',
    noNotesOf: 'Não há notas, {when}.',
    quotesOf: 'Das notas, {when}:',
    notMentionedIn: 'As notas ({when}) não mencionam {topic}.',
    tasks: ['Não há tarefas pendentes.', 'Uma tarefa pendente:', '{n} tarefas pendentes:'],
    tasksDue: ['Nenhuma tarefa vence ({when}).', 'Uma tarefa vence ({when}):', '{n} tarefas vencem ({when}):'],
    tasksIn: [
      'Não há tarefas pendentes em {note}.',
      'Uma tarefa pendente em {note}:',
      '{n} tarefas pendentes em {note}:',
    ],
    moreTasks: '… e mais {n}',
    due: 'vence em {date}',
    whichTask: 'Várias tarefas pendentes correspondem. Dê mais palavras:',
    noSuchTask: 'Nenhuma tarefa pendente menciona {task}.',
    created: '{note} foi criada.',
    added: 'Acrescentado a {note}.',
    renamed: 'Agora chama-se {note}.',
    deleted: '{note} está no lixo.',
    changed: '{note} foi alterada.',
    ticked: 'Feito: {task}',
    undone: 'Desfeito.',
  },
}
