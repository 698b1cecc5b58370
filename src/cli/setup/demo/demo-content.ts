import type { DemoBlog } from './demo-blog.js';
import { DEMO_NEWSROOM } from './demo-newsroom.js';

/** The articles of the demo, in all five states, oldest first. Cleaning their HTML adds only the ids of headings. */
export const DEMO_BLOGS: readonly DemoBlog[] = [
  {
    slug: 'what-a-headless-blog-is',
    coverAlt: 'A yellow, a green and a violet disc above a line',
    author: 'ines',
    state: 'live',
    title: 'What a headless blog is, and when you want one',
    description:
      'A headless blog keeps articles and hands them out as JSON. Your site decides how they look.',
    tags: ['headless', 'basics'],
    draftText: `<p>A blog program usually does two jobs: it keeps articles, and it draws pages. A headless one does the first job only. It answers requests with JSON, and a site, an app or a newsletter draws the pages.</p>
<h2>When it pays</h2>
<ul>
<li>The same articles appear in more than one place.</li>
<li>Your site has a design of its own, and themes would get in the way.</li>
<li>The people who write should not be able to break the pages.</li>
</ul>
<h2>When it does not</h2>
<p>If you want one site, soon, and like one of the themes on offer, take a blog program that draws pages. You can move the articles later: they are text.</p>`,
  },
  {
    slug: 'the-five-states-of-an-article',
    coverAlt: 'Three discs that overlap, above a line',
    author: 'ines',
    state: 'live',
    title: 'The five states of an article',
    description: 'Draft, in review, live, live with a draft, live in review: what each one allows.',
    tags: ['review', 'basics', 'publishing'],
    draftText: `<p>In Pressroom an article is in one of five states. Which moves are open to you depends on the state and on your role.</p>
<table>
<thead><tr><th>State</th><th>Readers see</th><th>The author may</th><th>An editor may</th></tr></thead>
<tbody>
<tr><td>draft</td><td>nothing</td><td>edit, submit</td><td>nothing</td></tr>
<tr><td>in review</td><td>nothing</td><td>withdraw</td><td>publish</td></tr>
<tr><td>live</td><td>the article</td><td>edit</td><td>unpublish</td></tr>
<tr><td>live with draft</td><td>the last published version</td><td>edit, submit, discard</td><td>unpublish</td></tr>
<tr><td>live in review</td><td>the last published version</td><td>withdraw</td><td>publish, unpublish</td></tr>
</tbody>
</table>
<p>An author may delete an article in any of them. A move that the state does not allow is refused, and the answer names the state.</p>`,
  },
  {
    slug: 'reading-one-article-over-http',
    author: 'kofi',
    state: 'live',
    title: 'Reading one article over HTTP',
    description: 'One request, one header, one object: the smallest useful client.',
    tags: ['api', 'headless', 'javascript'],
    draftText: `<p>A reader needs an API key and nothing else. There is no sign-in and no library.</p>
<pre><code class="language-js">const response = await fetch(\`\${base}/blog/slug/\${encodeURIComponent(slug)}\`, {
  headers: { 'x-api-key': key },
});
const { data: blog, message } = await response.json();
if (!response.ok) throw new Error(message);
</code></pre>
<p><code>blog.text</code> is HTML that the server has cleaned: no scripts, no handlers, no frames. <code>blog.title</code> is plain text. Put it into the page as text, not as HTML.</p>
<p>Keep the <code>ETag</code> of the answer and send it back as <code>If-None-Match</code>. While nothing has changed, the server answers 304 without a body.</p>`,
  },
  {
    slug: 'an-editor-publishes-what-was-read',
    coverAlt: 'A disc on each side of a line, and one across it',
    author: 'ines',
    state: 'live',
    title: 'An editor publishes what was read',
    description:
      'Why a review can be trusted: the revision that was read is the one that goes out.',
    tags: ['review', 'api'],
    draftText: `<p>Between reading and publishing there is time, and in that time a text could change under the editor's hands. Two rules prevent it.</p>
<ol>
<li>While an article is under review, its author cannot edit it. To change a word, withdraw it first.</li>
<li>The editor's read carries an <code>ETag</code>. Sent along as <code>If-Match</code>, it makes the server refuse with 412 if the article was withdrawn, changed and submitted again.</li>
</ol>
<p>So nobody has to compare two texts at the moment of publishing. The server does.</p>`,
  },
  {
    slug: 'tags-that-help',
    coverAlt: 'A red, a green and a blue disc on a line',
    author: 'kofi',
    state: 'live',
    title: 'Tags that help readers find the next article',
    description: 'Few, plain and shared: how to choose tags, and what the server does with them.',
    tags: ['editing', 'basics'],
    draftText: `<p>A tag on one article only is a label on an empty drawer. Before you make up a new one, look at the list of an old one.</p>
<ul>
<li>Name the subject in a word that readers would type.</li>
<li>Use two to four of them. Twenty are allowed, but nobody reads twenty.</li>
<li>Do not worry about capitals. <code>Review</code> and <code>review</code> find the same articles.</li>
</ul>
<p>Shared tags also decide which articles are called similar. They count more than shared words, since a tag was chosen and a word may be chance.</p>`,
    then: [
      {
        by: 'kofi',
        transition: 'edit',
        edit: {
          // Readers of the former slug are sent to this one.
          slug: 'tags-that-help-readers',
          description: 'Few, plain and shared: how to choose tags, and how to name a new one.',
          draftText: `<p>A tag on one article only is a label on an empty drawer. Before you make up a new one, look at the list of an old one.</p>
<ul>
<li>Name the subject in a word that readers would type.</li>
<li>Use two to four of them. Twenty are allowed, and no reader looks at the fifth.</li>
<li>Do not worry about capitals. <code>Review</code> and <code>review</code> find the same articles.</li>
<li>Write a new one as you would say it: <code>writing</code>, not <code>tips-for-writers</code>.</li>
</ul>
<p>Shared tags also decide which articles are called similar. They count more than shared words, since a tag was chosen and a word may be chance.</p>`,
        },
      },
      { by: 'kofi', transition: 'submit', note: 'A reader asked how to name a new tag.' },
      { by: 'wen', transition: 'publish' },
    ],
  },
  {
    slug: 'a-key-for-every-client',
    author: 'kofi',
    state: 'live',
    title: 'A key for every client',
    description: 'Give the website, the app and the newsletter an API key each, and sleep better.',
    tags: ['operations', 'security', 'api'],
    draftText: `<p>One key for everything works until the day it has to be changed. Then the website, the app and the newsletter all stop at once.</p>
<p>An admin makes a key per client and writes into its comment who uses it. The key is shown once; the server keeps only its hash. A key can have a date on which it ends, and it can be switched off without being deleted.</p>
<blockquote><p>A key says which program is asking. It never says which person is: that is what signing in is for.</p></blockquote>`,
  },
  {
    slug: 'backing-up-your-articles',
    coverAlt: 'A yellow disc in front of a red and a green one',
    author: 'kofi',
    state: 'live with draft',
    title: 'Backing up your articles',
    description: 'What to copy, how often, and the step that most people leave out.',
    tags: ['operations'],
    draftText: `<p>With a database of your own, back up the database: <code>mongodump</code> for a small one, snapshots of the disk for a large one. With the embedded database, stop Pressroom and copy the folder <code>.data</code>.</p>
<p>Keep the signing keys with it. Without them the articles are safe, but everyone has to sign in again.</p>`,
    edit: {
      title: 'Backing up your articles, and getting them back',
      draftText: `<p>With a database of your own, back up the database: <code>mongodump</code> for a small one, snapshots of the disk for a large one. With the embedded database, stop Pressroom and copy the folder <code>.data</code>.</p>
<p>Keep the signing keys with it. Without them the articles are safe, but everyone has to sign in again.</p>
<h2>The step that most people leave out</h2>
<p>Restore the copy on another machine, start a second Pressroom on it, and read three articles. A backup that nobody has restored is a hope.</p>`,
      tags: ['operations', 'backup'],
    },
  },
  {
    slug: 'writing-for-people-who-scan',
    coverAlt: 'A large green disc, and an orange one above it',
    author: 'ines',
    state: 'live in review',
    title: 'Writing for people who scan',
    description: 'Readers look at the headings first. Make them say something.',
    tags: ['editing', 'writing'],
    draftText: `<p>Most readers do not begin at the beginning. They look at the headings, at the first words of the paragraphs and at the code, and decide in seconds whether to stay.</p>
<p>So let the headings carry the argument. <em>Introduction</em> says nothing. <em>Why the first start takes longer</em> does.</p>`,
    edit: {
      description: 'Readers look at the headings first. Make them carry the argument.',
      draftText: `<p>Most readers do not begin at the beginning. They look at the headings, at the first words of the paragraphs and at the code, and decide in seconds whether to stay.</p>
<h2>Let the headings carry the argument</h2>
<p><em>Introduction</em> says nothing. <em>Why the first start takes longer</em> does.</p>
<h2>Put the answer first</h2>
<p>A paragraph that begins with its result can be left after one sentence. That is a service, not a loss.</p>`,
    },
  },
  ...DEMO_NEWSROOM,
];
