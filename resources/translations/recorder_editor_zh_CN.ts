<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name></name>
    <message>
        <source>A file is being read or written; wait until that is done.</source>
        <translation>正在读取或写入文件，请等待完成。</translation>
    </message>
    <message>
        <source>There are no unsaved edits.</source>
        <translation>没有未保存的编辑。</translation>
    </message>
    <message>
        <source>Copied versions and the last messages; paste them into your report.</source>
        <translation>已复制版本信息和最近的消息，请粘贴到您的报告中。</translation>
    </message>
    <message>
        <source>The sample is missing</source>
        <translation>缺少示例文件</translation>
    </message>
    <message>
        <source>Another edit is still being made.</source>
        <translation>另一项编辑仍在进行。</translation>
    </message>
    <message>
        <source>Set an in point or an out point first.</source>
        <translation>请先设置入点或出点。</translation>
    </message>
    <message>
        <source>Cutting out frames</source>
        <translation>正在剪除帧</translation>
    </message>
    <message>
        <source>Trimming</source>
        <translation>正在裁剪</translation>
    </message>
    <message>
        <source>Export list</source>
        <translation>导出列表</translation>
    </message>
    <message>
        <source>Import list</source>
        <translation>导入列表</translation>
    </message>
    <message>
        <source>Select one actor; %1 are selected.</source>
        <translation>请选择一个参与者；当前选中 %1 个。</translation>
    </message>
    <message>
        <source>Select one or two actors; %1 are selected.</source>
        <translation>请选择一个或两个参与者；当前选中 %1 个。</translation>
    </message>
    <message>
        <source>%1...</source>
        <translation>%1...</translation>
    </message>
    <message>
        <source>Adding an actor</source>
        <translation>正在添加参与者</translation>
    </message>
    <message>
        <source>Copy an actor first, in this window or in another one.</source>
        <translation>请先在本窗口或其他窗口中复制一个参与者。</translation>
    </message>
    <message>
        <source>Paste anyway</source>
        <translation>仍然粘贴</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 was recorded on %2, and this recording is of %3: its path does not fit these roads.</source>
        <translation>%1 记录于 %2，而本记录文件属于 %3：其路径与这里的道路不符。</translation>
    </message>
    <message>
        <source>a map without a name</source>
        <translation>一张未命名的地图</translation>
    </message>
    <message>
        <source>Paste actor</source>
        <translation>粘贴参与者</translation>
    </message>
    <message>
        <source>Another map</source>
        <translation>其他地图</translation>
    </message>
    <message>
        <source>Road maps (%1)</source>
        <translation>道路地图 (%1)</translation>
    </message>
    <message>
        <source>Choose a road map</source>
        <translation>选择道路地图</translation>
    </message>
    <message>
        <source>The recording does not name its map.</source>
        <translation>记录文件没有给出地图名称。</translation>
    </message>
    <message>
        <source>No map was chosen.</source>
        <translation>未选择地图。</translation>
    </message>
    <message>
        <source>pane</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Show or hide the pane %1</source>
        <translation>显示或隐藏 %1 面板</translation>
    </message>
    <message>
        <source>scene colours of actors</source>
        <translation>场景 颜色 着色 参与者</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>There are unsaved edits.</source>
        <translation>有未保存的编辑。</translation>
    </message>
    <message>
        <source>Save the edits to %1?</source>
        <translation>把编辑保存到 %1？</translation>
    </message>
    <message>
        <source>Unsaved edits</source>
        <translation>未保存的编辑</translation>
    </message>
    <message>
        <source>Write again</source>
        <translation>再次写入</translation>
    </message>
    <message>
        <source>Write the notes of %1?</source>
        <translation>写入 %1 的备注？</translation>
    </message>
    <message>
        <source>Unwritten notes</source>
        <translation>未写入的备注</translation>
    </message>
    <message>
        <source>Segments, workspaces, filters and recent files could not be written to this file:</source>
        <translation>片段、工作区、筛选和最近文件无法写入此文件：</translation>
    </message>
    <message>
        <source>Unwritten settings</source>
        <translation>未写入的设置</translation>
    </message>
    <message>
        <source>Write what the program remembers?</source>
        <translation>写入程序记住的内容？</translation>
    </message>
    <message>
        <source>%1 earlier ones</source>
        <translation>之前还有 %1 个</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>记录文件</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>beginning</source>
        <translation>开头</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结尾</translation>
    </message>
    <message>
        <source>yaw</source>
        <translation>偏航角</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>原点</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>地图</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>发行版本</translation>
    </message>
    <message>
        <source>Whole recording</source>
        <translation>整个记录文件</translation>
    </message>
    <message>
        <source>Frame %1 only</source>
        <translation>仅第 %1 帧</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>首帧</translation>
    </message>
    <message>
        <source>Last frame</source>
        <translation>末帧</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>No value is changed.</source>
        <translation>没有值被更改。</translation>
    </message>
    <message>
        <source>Key %1 of %2 of actor %3</source>
        <translation>参与者 %3 的关键点 %1（共 %2 个）</translation>
    </message>
    <message>
        <source>Only frames between the keys before and after it change.</source>
        <translation>只改变该关键点前后两个关键点之间的帧。</translation>
    </message>
    <message>
        <source>Key of path</source>
        <translation>路径关键点</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>File info</source>
        <translation>文件信息</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Collisions</source>
        <translation>碰撞</translation>
    </message>
    <message>
        <source>Blocked actors</source>
        <translation>受阻的参与者</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>CARLA %1</source>
        <translation>CARLA %1</translation>
    </message>
    <message>
        <source>newest</source>
        <translation>最新版本</translation>
    </message>
    <message>
        <source>The release whose format is used; the file was written by %1</source>
        <translation>采用哪个发行版本的格式；此文件由 %1 写成</translation>
    </message>
    <message>
        <source>UTC</source>
        <translation>UTC</translation>
    </message>
    <message>
        <source>The date in UTC, not in local time</source>
        <translation>UTC 日期，不是本地时间</translation>
    </message>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>hero</source>
        <translation>主车 (hero)</translation>
    </message>
    <message>
        <source>vehicle</source>
        <translation>车辆</translation>
    </message>
    <message>
        <source>walker</source>
        <translation>行人</translation>
    </message>
    <message>
        <source>traffic light</source>
        <translation>交通灯</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Kind of actor</source>
        <translation>参与者种类</translation>
    </message>
    <message>
        <source>Minimum time</source>
        <translation>最短时间</translation>
    </message>
    <message>
        <source>Minimum distance</source>
        <translation>最小距离</translation>
    </message>
    <message>
        <source>and</source>
        <translation>和</translation>
    </message>
    <message>
        <source>moving less than</source>
        <translation>移动距离小于</translation>
    </message>
    <message>
        <source>between</source>
        <translation>之间</translation>
    </message>
    <message>
        <source>for at least</source>
        <translation>至少持续</translation>
    </message>
    <message>
        <source>Seconds per part</source>
        <translation>每部分的秒数</translation>
    </message>
    <message>
        <source>Frames per part</source>
        <translation>每部分的帧数</translation>
    </message>
    <message>
        <source>Maximum megabytes per part</source>
        <translation>每部分的最大兆字节数</translation>
    </message>
    <message>
        <source>File names</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>With {name}, {index} and {segment}</source>
        <translation>含 {name}、{index} 和 {segment}</translation>
    </message>
    <message>
        <source>Saved %1, %2.</source>
        <translation>已保存 %1，%2。</translation>
    </message>
    <message>
        <source>Export signals</source>
        <translation>导出信号</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Reload as it grows</source>
        <translation>随增长重新载入</translation>
    </message>
    <message>
        <source>Read the file again whenever it grows</source>
        <translation>每次文件变大就重新读取</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>Read the file again</source>
        <translation>重新读取文件</translation>
    </message>
    <message>
        <source>Save the edits as a script...</source>
        <translation>把编辑保存为脚本...</translation>
    </message>
    <message>
        <source>Write the edits as a script, to apply them to the new file</source>
        <translation>把编辑写成脚本，以便应用到新文件</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>List the differences to the file on disk</source>
        <translation>列出与磁盘上文件的差异</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Set the map name to %1</source>
        <translation>把地图名称设为 %1</translation>
    </message>
    <message>
        <source>Leave out %1 to %2</source>
        <translation>舍弃 %1 至 %2</translation>
    </message>
    <message>
        <source>Leave out the copy at %1</source>
        <translation>舍弃 %1 处的副本</translation>
    </message>
    <message>
        <source>Leave out the records of actor %1</source>
        <translation>舍弃参与者 %1 的记录</translation>
    </message>
    <message>
        <source>Leave out the records of actors %1</source>
        <translation>舍弃参与者 %1 的记录</translation>
    </message>
    <message>
        <source>stays as it is</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>another copy may have them</source>
        <translation>另一份副本中可能有</translation>
    </message>
    <message>
        <source>%1 lost</source>
        <translation>丢失 %1</translation>
    </message>
    <message>
        <source>nothing is lost</source>
        <translation>没有丢失</translation>
    </message>
    <message>
        <source>%1 before − %2 lost − %3 left out otherwise = %4 after</source>
        <translation>之前 %1 − 丢失 %2 − 其他舍弃 %3 = 之后 %4</translation>
    </message>
    <message>
        <source>%1 before − %2 lost + %3 that could not be read = %4 after</source>
        <translation>之前 %1 − 丢失 %2 + 原先无法读取 %3 = 之后 %4</translation>
    </message>
    <message>
        <source>What could not be read is found or made anew, or is among the lost.</source>
        <translation>原先无法读取的内容已找回或重建，或属于丢失的部分。</translation>
    </message>
    <message>
        <source>%1 before − %2 lost</source>
        <translation>之前 %1 − 丢失 %2</translation>
    </message>
    <message>
        <source>%1 − %2 duplicate or without data</source>
        <translation>%1 − 重复或不含数据 %2</translation>
    </message>
    <message>
        <source>%1 + %2 made anew</source>
        <translation>%1 + 重建 %2</translation>
    </message>
    <message>
        <source>%1 = %2 after</source>
        <translation>%1 = 之后 %2</translation>
    </message>
    <message>
        <source>frame %1</source>
        <translation>第 %1 帧</translation>
    </message>
    <message>
        <source>frames %1 to %2</source>
        <translation>第 %1 至 %2 帧</translation>
    </message>
    <message>
        <source>Repair of %1</source>
        <translation>%1 的修复</translation>
    </message>
    <message>
        <source>%1 %2 (%3): %4</source>
        <translation>%1 %2（%3）：%4</translation>
    </message>
    <message>
        <source>      %1: %2</source>
        <translation>      %1：%2</translation>
    </message>
    <message>
        <source>Kept: %1</source>
        <translation>保留：%1</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Lost: %1</source>
        <translation>丢失：%1</translation>
    </message>
    <message>
        <source>  %1: %2</source>
        <translation>  %1：%2</translation>
    </message>
    <message>
        <source>Ids of actors whose creation is lost: %1</source>
        <translation>创建信息已丢失的参与者 ID：%1</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Select actor %1</source>
        <translation>选择参与者 %1</translation>
    </message>
    <message>
        <source>Plot the same for the selected actors</source>
        <translation>为所选参与者绘制同样的信号</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Frame %1 is marked</source>
        <translation>已标记第 %1 帧</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Plot signal...</source>
        <translation>绘制信号...</translation>
    </message>
    <message>
        <source>Plot expression...</source>
        <translation>绘制表达式...</translation>
    </message>
    <message>
        <source>Remove all signals</source>
        <translation>移除所有信号</translation>
    </message>
    <message>
        <source>Cursors</source>
        <translation>游标</translation>
    </message>
    <message>
        <source>Put cursor A here</source>
        <translation>在此放置游标 A</translation>
    </message>
    <message>
        <source>Put cursor B here</source>
        <translation>在此放置游标 B</translation>
    </message>
    <message>
        <source>Export as CSV...</source>
        <translation>导出为 CSV...</translation>
    </message>
    <message>
        <source>Save picture...</source>
        <translation>保存图片...</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>1st to 99th percentile</source>
        <translation>第 1 至第 99 百分位数</translation>
    </message>
    <message>
        <source>Fixed...</source>
        <translation>固定...</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>对数坐标</translation>
    </message>
    <message>
        <source>Only where all visible values are above 0</source>
        <translation>仅当所有可见值都大于 0 时可用</translation>
    </message>
    <message>
        <source>Make a note of this</source>
        <translation>为此添加备注</translation>
    </message>
    <message>
        <source>Fold actors</source>
        <translation>折叠参与者</translation>
    </message>
    <message>
        <source>%1 (none)</source>
        <translation>%1（无）</translation>
    </message>
    <message>
        <source>Actors</source>
        <translation>参与者</translation>
    </message>
    <message>
        <source>Filter: vehicle hero</source>
        <translation>过滤：vehicle hero</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>In: %1</source>
        <translation>入点：%1</translation>
    </message>
    <message>
        <source>Out: %1 is the last frame</source>
        <translation>出点（末帧）：%1</translation>
    </message>
    <message>
        <source>By frame number, because the recorded times do not increase</source>
        <translation>按帧号，因为记录的时间不递增</translation>
    </message>
    <message>
        <source>Drag, or click and press Left or Right.</source>
        <translation>拖动，或单击后按左、右方向键。</translation>
    </message>
    <message>
        <source>It snaps to marks; Ctrl or Alt turns that off.</source>
        <translation>会吸附到标记；按住 Ctrl 或 Alt 可关闭吸附。</translation>
    </message>
    <message>
        <source>and %1 more here</source>
        <translation>此处还有 %1 个</translation>
    </message>
    <message>
        <source>lane change: %1</source>
        <translation>变道：%1</translation>
    </message>
    <message>
        <source>minimum TTC %1 s</source>
        <translation>最小碰撞时间 (TTC) %1 s</translation>
    </message>
    <message>
        <source>frames %1 to the end</source>
        <translation>第 %1 帧至结尾</translation>
    </message>
    <message>
        <source>next: %1</source>
        <translation>下一个：%1</translation>
    </message>
    <message>
        <source>Cursor: %1</source>
        <translation>光标：%1</translation>
    </message>
    <message>
        <source>%1 bytes outside of frames, after frame %2</source>
        <translation>第 %2 帧之后有 %1 字节不属于任何帧</translation>
    </message>
    <message>
        <source>A repair would leave out %3 frames (%1 bytes) after frame %2</source>
        <translation>修复将舍弃第 %2 帧之后的 %3 帧（%1 字节）</translation>
    </message>
    <message>
        <source>&lt;b&gt;Risk %1&lt;/b&gt;: %2 behind %3&lt;br&gt;minimum TTC %4 s&lt;br&gt;frame %5 to %6</source>
        <translation>&lt;b&gt;风险 %1&lt;/b&gt;：%2 跟在 %3 之后&lt;br&gt;最小碰撞时间 (TTC) %4 s&lt;br&gt;第 %5 至 %6 帧</translation>
    </message>
    <message>
        <source>frame %1 (id %2)</source>
        <translation>第 %1 帧（ID %2）</translation>
    </message>
    <message>
        <source>path of %1 places, x %2, y %3</source>
        <translation>路径含 %1 处，x %2，y %3</translation>
    </message>
    <message>
        <source>heading %1 degrees</source>
        <translation>朝向 %1 度</translation>
    </message>
    <message>
        <source>moved by x %1, y %2, turned by %3 degrees</source>
        <translation>移动 x %1、y %2，转动 %3 度</translation>
    </message>
    <message>
        <source>key %1 of %2, %3 s, x %4, y %5</source>
        <translation>关键点 %1/%2，%3 s，x %4，y %5</translation>
    </message>
    <message>
        <source>%1, hero</source>
        <translation>%1，主车 (hero)</translation>
    </message>
    <message>
        <source>%1 of %2 actors</source>
        <translation>%2 个参与者的%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, %2 %3</source>
        <translation>%1，%2 %3</translation>
    </message>
    <message>
        <source>%2 of %1</source>
        <translation>%1 的%2</translation>
    </message>
    <message>
        <source>File header</source>
        <translation>文件头部信息</translation>
    </message>
    <message>
        <source>%1 red, green, blue</source>
        <translation>%1 的红、绿、蓝</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 (%2, %3)</source>
        <translation>%1（%2，%3）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Frame %1</source>
        <translation>第 %1 帧</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>id %1, %2, lasts %3 s</source>
        <translation>ID %1，%2，持续 %3 s</translation>
    </message>
    <message>
        <source>id %1, %2, lasts %3 s, no FrameEnd</source>
        <translation>ID %1，%2，持续 %3 s，没有 FrameEnd</translation>
    </message>
    <message>
        <source>Outside of frames</source>
        <translation>不属于任何帧</translation>
    </message>
    <message>
        <source>These bytes belong to no frame</source>
        <translation>这些字节不属于任何帧</translation>
    </message>
    <message>
        <source>%1 (packet %2)</source>
        <translation>%1（数据包 %2）</translation>
    </message>
    <message>
        <source>exactly %1</source>
        <translation>精确值 %1</translation>
    </message>
    <message>
        <source>%1 %2, role %3</source>
        <translation>%1 %2，角色 %3</translation>
    </message>
    <message>
        <source>This recording has no frames.</source>
        <translation>此记录文件没有帧。</translation>
    </message>
    <message>
        <source>The recording lasts from 0 to %1.</source>
        <translation>记录文件的时间从 0 到 %1。</translation>
    </message>
    <message>
        <source>There is no frame %1; the recording has %2.</source>
        <translation>没有第 %1 帧；记录文件共有 %2 帧。</translation>
    </message>
    <message>
        <source>For frame %1 type #%1.</source>
        <translation>要转到第 %1 帧，请输入 #%1。</translation>
    </message>
    <message>
        <source>frame %1, %2</source>
        <translation>第 %1 帧，%2</translation>
    </message>
    <message>
        <source>The recording ends at %1.</source>
        <translation>记录文件在 %1 处结束。</translation>
    </message>
    <message>
        <source>file header</source>
        <translation>文件头部信息</translation>
    </message>
    <message>
        <source>Offset %1</source>
        <translation>偏移量 %1</translation>
    </message>
    <message>
        <source>No actor %1 exists in this recording.</source>
        <translation>本记录文件中没有参与者 %1。</translation>
    </message>
    <message>
        <source>Actor %1</source>
        <translation>参与者 %1</translation>
    </message>
    <message>
        <source>Go to or find</source>
        <translation>转到或查找</translation>
    </message>
    <message>
        <source>No header</source>
        <translation>没有头部信息</translation>
    </message>
    <message>
        <source>The file header is not readable</source>
        <translation>文件头部信息无法读取</translation>
    </message>
    <message>
        <source>Stray packets</source>
        <translation>游离的数据包</translation>
    </message>
    <message>
        <source>The frame has no FrameEnd</source>
        <translation>该帧没有 FrameEnd</translation>
    </message>
    <message>
        <source>Frames %1 to %2</source>
        <translation>第 %1 至 %2 帧</translation>
    </message>
    <message>
        <source>Records %1 to %2</source>
        <translation>第 %1 至 %2 条记录</translation>
    </message>
    <message>
        <source>These bytes are no whole record</source>
        <translation>这些字节不是完整的记录</translation>
    </message>
    <message>
        <source>Remaining bytes</source>
        <translation>剩余字节</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 附着于 %2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>collision %1</source>
        <translation>碰撞 %1</translation>
    </message>
    <message>
        <source>light %1</source>
        <translation>灯光 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Clear the filter to see all of them.</source>
        <translation>清除过滤条件即可显示全部。</translation>
    </message>
    <message>
        <source>Nothing was changed. Try again, or choose another folder.</source>
        <translation>未做任何更改。请重试，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>An unexpected error occurred.</source>
        <translation>发生了意外错误。</translation>
    </message>
    <message>
        <source>The file on disk is unchanged. %1 Please report the error.</source>
        <translation>磁盘上的文件没有改动。%1请报告这个错误。</translation>
    </message>
    <message>
        <source>Reload the file to see what it holds now.</source>
        <translation>请重新载入文件，查看它现在的内容。</translation>
    </message>
    <message>
        <source>Reload the new file, or save this recording under another name.</source>
        <translation>请重新载入新文件，或以其他名称保存此记录文件。</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>未做任何更改。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>以后</translation>
    </message>
    <message>
        <source>road %1, lane %2</source>
        <translation>道路 %1，车道 %2</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>限速 %1</translation>
    </message>
    <message>
        <source>%1 hero</source>
        <translation>%1 主车</translation>
    </message>
    <message>
        <source>%1, TTC %2 s</source>
        <translation>%1，TTC %2 s</translation>
    </message>
    <message>
        <source>Enter seconds, such as 12.5, a time as h:mm:ss, or a frame, such as #250.</source>
        <translation>请输入秒数（如 12.5）、h:mm:ss 形式的时间，或帧（如 #250）。</translation>
    </message>
    <message>
        <source>The recorded times do not increase. Enter a frame, such as #250.</source>
        <translation>记录的时间不递增。请输入帧，例如 #250。</translation>
    </message>
    <message>
        <source>Workspaces (*.json)</source>
        <translation>工作区 (*.json)</translation>
    </message>
    <message>
        <source>Rename workspace</source>
        <translation>重命名工作区</translation>
    </message>
    <message>
        <source>Save workspace</source>
        <translation>保存工作区</translation>
    </message>
    <message>
        <source>The layout, signals, filters, colours and switches of the panes.</source>
        <translation>各面板的布局、信号、过滤条件、颜色和开关。</translation>
    </message>
    <message>
        <source>Import workspace</source>
        <translation>导入工作区</translation>
    </message>
    <message>
        <source>Export workspace</source>
        <translation>导出工作区</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>others</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Size ≈</source>
        <translation>大小 ≈</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>On or off</source>
        <translation>启用或停用</translation>
    </message>
    <message>
        <source>Go to its first frame</source>
        <translation>转到其首帧</translation>
    </message>
    <message>
        <source>Set in and out points to it</source>
        <translation>把入点和出点设在它的两端</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Filter: brakes #todo</source>
        <translation>筛选：刹车 #待办</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>已消失</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Filter: error collision</source>
        <translation>过滤：错误 碰撞</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>记录库</translation>
    </message>
    <message>
        <source>Filter: town == &apos;Town05&apos; and collisions &gt; 0</source>
        <translation>过滤：town == &apos;Town05&apos; and collisions &gt; 0</translation>
    </message>
</context>
<context>
    <name>AboutDialog</name>
    <message>
        <source>Views and edits recordings of the CARLA simulator. Unedited bytes are saved unchanged.</source>
        <translation>查看和编辑 CARLA 仿真器的记录文件。未编辑的字节原样保存。</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>Platform %1, scale %2</source>
        <translation>平台 %1，缩放 %2</translation>
    </message>
    <message>
        <source>MIT License</source>
        <translation>MIT 许可证</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ActorFacts</name>
    <message>
        <source>Actor</source>
        <translation>参与者</translation>
    </message>
    <message>
        <source>class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>first frame</source>
        <translation>首帧</translation>
    </message>
    <message>
        <source>last frame</source>
        <translation>末帧</translation>
    </message>
    <message>
        <source>to the end</source>
        <translation>到结尾</translation>
    </message>
    <message>
        <source>parent</source>
        <translation>父级</translation>
    </message>
    <message>
        <source>children</source>
        <translation>子级</translation>
    </message>
</context>
<context>
    <name>ActorsModel</name>
    <message>
        <source>Class of the actor</source>
        <translation>参与者的类别</translation>
    </message>
    <message>
        <source>First frame, that of its EventAdd</source>
        <translation>首帧，即其 EventAdd 所在的帧</translation>
    </message>
    <message>
        <source>Last frame; – if it exists to the end</source>
        <translation>末帧；– 表示一直存在到结尾</translation>
    </message>
    <message>
        <source>Distance driven (%1)</source>
        <translation>行驶距离 (%1)</translation>
    </message>
    <message>
        <source>Top speed (%1)</source>
        <translation>最高速度 (%1)</translation>
    </message>
    <message>
        <source>Number of collisions</source>
        <translation>碰撞次数</translation>
    </message>
    <message>
        <source>Percentage of its time on no lane of the road map</source>
        <translation>不在道路地图任何车道上的时间百分比</translation>
    </message>
    <message>
        <source>Number of lane changes, by the road map</source>
        <translation>按道路地图统计的变道次数</translation>
    </message>
</context>
<context>
    <name>ActorsTable</name>
    <message>
        <source>No actor matches</source>
        <translation>没有匹配的参与者</translation>
    </message>
    <message>
        <source>No actors in this recording</source>
        <translation>此记录文件中没有参与者</translation>
    </message>
    <message>
        <source>Actor &gt; Paste adds copied ones.</source>
        <translation>“参与者 &gt; 粘贴参与者”可添加复制的参与者。</translation>
    </message>
    <message>
        <source>Go to first frame</source>
        <translation>转到首帧</translation>
    </message>
    <message>
        <source>Go to last frame</source>
        <translation>转到末帧</translation>
    </message>
    <message>
        <source>Go to its EventAdd</source>
        <translation>转到其“事件添加”</translation>
    </message>
    <message>
        <source>Copy ids</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Copy id</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Copy blueprints</source>
        <translation>复制蓝图</translation>
    </message>
    <message>
        <source>Copy blueprint</source>
        <translation>复制蓝图</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>复制行</translation>
    </message>
</context>
<context>
    <name>AppendDialog</name>
    <message>
        <source>Append recording</source>
        <translation>追加记录文件</translation>
    </message>
    <message>
        <source>Append a recording</source>
        <translation>追加记录文件</translation>
    </message>
    <message>
        <source>It is added at the end of this recording. Actors of the level keep their ids; its other actors get new ones.</source>
        <translation>它会接在本记录文件的末尾。关卡自带的参与者保留其 ID；其他参与者得到新的 ID。</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Append</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>the recording to append</source>
        <translation>要追加的记录文件</translation>
    </message>
    <message>
        <source>None chosen yet</source>
        <translation>尚未选择</translation>
    </message>
    <message>
        <source>Seconds from the last frame of this recording to the first one of the other</source>
        <translation>从本记录文件末帧到另一份首帧的秒数</translation>
    </message>
    <message>
        <source>Gap</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>Match actors by id and blueprint</source>
        <translation>按 ID 和蓝图匹配参与者</translation>
    </message>
    <message>
        <source>For parts of one recording: an actor with the id and blueprint of one that is alive at the end continues it</source>
        <translation>适用于同一记录的各部分：若参与者的 ID 和蓝图与结尾处仍存在的参与者相同，则视为其延续</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>记录文件</translation>
    </message>
    <message>
        <source>empty: duration of the last frame here</source>
        <translation>留空：此处末帧的持续时间</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Computing the result</source>
        <translation>正在计算结果</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>现为 %1</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>playable</source>
        <translation>可播放</translation>
    </message>
    <message>
        <source>actors</source>
        <translation>参与者</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
</context>
<context>
    <name>ApplyForm</name>
    <message>
        <source>Apply to</source>
        <translation>应用范围</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>相加</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Set the value, or add to it</source>
        <translation>设置值，或在原值上相加</translation>
    </message>
</context>
<context>
    <name>AttributeList</name>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Add an attribute</source>
        <translation>添加属性</translation>
    </message>
    <message>
        <source>Remove the attribute (Del)</source>
        <translation>移除属性 (Del)</translation>
    </message>
    <message>
        <source>Move it up (Ctrl+Up)</source>
        <translation>上移 (Ctrl+Up)</translation>
    </message>
    <message>
        <source>Move it down (Ctrl+Down)</source>
        <translation>下移 (Ctrl+Down)</translation>
    </message>
    <message>
        <source>Choose its colour</source>
        <translation>选择颜色</translation>
    </message>
    <message>
        <source>Colour...</source>
        <translation>颜色...</translation>
    </message>
    <message>
        <source>These bytes are not UTF-8. Edit them in Bytes.</source>
        <translation>这些字节不是 UTF-8。请在“字节”面板中编辑。</translation>
    </message>
    <message>
        <source>“%1” is not a type; types are %2.</source>
        <translation>“%1”不是类型；可用的类型为 %2。</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
</context>
<context>
    <name>AttributePanel</name>
    <message>
        <source>Attributes of the selection</source>
        <translation>所选内容的属性</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>未选择任何内容</translation>
    </message>
    <message>
        <source>Select a packet, a byte or an actor.</source>
        <translation>请选择数据包、字节或参与者。</translation>
    </message>
    <message>
        <source>File header</source>
        <translation>文件头部信息</translation>
    </message>
    <message>
        <source>Outside of frames</source>
        <translation>不属于任何帧</translation>
    </message>
    <message>
        <source>bytes outside of frames</source>
        <translation>不属于任何帧的字节</translation>
    </message>
    <message>
        <source>These bytes can be edited in the Bytes pane.</source>
        <translation>这些字节可在“字节”面板中编辑。</translation>
    </message>
    <message>
        <source>Plot over time</source>
        <translation>绘制随时间的变化</translation>
    </message>
    <message>
        <source>Add to %1 of %2 actors</source>
        <translation>为 %2 个参与者的 %1 加上</translation>
    </message>
    <message>
        <source>Set %1 of %2 actors</source>
        <translation>设置 %2 个参与者的 %1</translation>
    </message>
    <message>
        <source>Changing %1 frames</source>
        <translation>正在更改 %1 帧</translation>
    </message>
    <message>
        <source>Set colour</source>
        <translation>设置颜色</translation>
    </message>
</context>
<context>
    <name>BaseDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ByteEditor</name>
    <message>
        <source>The recording ends here; press Insert to switch to insert mode.</source>
        <translation>记录文件到此结束；按 Insert 切换到插入模式。</translation>
    </message>
    <message>
        <source>%1 bytes do not fit: the recording ends after %2 more.</source>
        <translation>%1 字节放不下：此后记录文件只剩 %2 字节。</translation>
    </message>
    <message>
        <source>Bytes can be removed inside one body, adjusting size and count, or in raw mode.</source>
        <translation>只能在一个数据包体内（随之调整大小和计数）或在原始模式下删除字节。</translation>
    </message>
    <message>
        <source>Bytes can be inserted inside a body, adjusting size and count, or in raw mode.</source>
        <translation>只能在数据包体内（随之调整大小和计数）或在原始模式下插入字节。</translation>
    </message>
</context>
<context>
    <name>CheckEdit</name>
    <message>
        <source>stored as %1</source>
        <translation>存储为 %1</translation>
    </message>
</context>
<context>
    <name>ChoiceEdit</name>
    <message>
        <source>mixed</source>
        <translation>多个值</translation>
    </message>
    <message>
        <source>unnamed</source>
        <translation>未命名</translation>
    </message>
</context>
<context>
    <name>ColourEdit</name>
    <message>
        <source>A colour is three numbers from 0 to 255, such as 255,128,0.</source>
        <translation>颜色是三个 0 到 255 的数，例如 255,128,0。</translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message>
        <source>The command that does the same</source>
        <translation>等效的命令</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
</context>
<context>
    <name>ConvertDialog</name>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Convert to another release</source>
        <translation>转换为其他发行版本</translation>
    </message>
    <message>
        <source>Current dialect: %1, %2</source>
        <translation>当前方言：%1，%2</translation>
    </message>
    <message>
        <source>Dialect</source>
        <translation>方言</translation>
    </message>
    <message>
        <source>Keep blueprints and uids</source>
        <translation>保持蓝图和 uid</translation>
    </message>
    <message>
        <source>Leave them as they were recorded, whatever the release makes of them</source>
        <translation>保持录制时的样子，无论该版本如何处理</translation>
    </message>
    <message>
        <source>Changes and losses</source>
        <translation>更改与丢失</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>首帧</translation>
    </message>
    <message>
        <source>Substitute</source>
        <translation>替代</translation>
    </message>
    <message>
        <source>Nearest for all</source>
        <translation>全部用最接近的</translation>
    </message>
    <message>
        <source>The nearest of its class stands in for every blueprint that the release does not have</source>
        <translation>用同类中最接近的蓝图代替该版本没有的每个蓝图</translation>
    </message>
    <message>
        <source>Computing...</source>
        <translation>正在计算……</translation>
    </message>
    <message>
        <source>Computing losses</source>
        <translation>正在计算丢失的内容</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Converting back gives the same recording, byte for byte</source>
        <translation>转换回来可得到逐字节相同的记录文件</translation>
    </message>
    <message>
        <source>Nothing is lost</source>
        <translation>没有丢失任何内容</translation>
    </message>
    <message>
        <source>Convert with loss</source>
        <translation>有损转换</translation>
    </message>
    <message>
        <source>None: it stays</source>
        <translation>无：保持不变</translation>
    </message>
    <message>
        <source>Substitute for %1</source>
        <translation>%1 的替代</translation>
    </message>
    <message>
        <source>This cannot be converted</source>
        <translation>无法转换</translation>
    </message>
    <message>
        <source>Converting to %1</source>
        <translation>正在转换为 %1</translation>
    </message>
</context>
<context>
    <name>DialectDialog</name>
    <message>
        <source>No recording open</source>
        <translation>没有打开记录文件</translation>
    </message>
    <message>
        <source>Decode as</source>
        <translation>解码方式</translation>
    </message>
    <message>
        <source>Decode the packets as</source>
        <translation>数据包解码方式</translation>
    </message>
    <message>
        <source>Detected</source>
        <translation>按检测结果</translation>
    </message>
    <message>
        <source>Dialect</source>
        <translation>方言</translation>
    </message>
    <message>
        <source>Changes how the bodies are read; no byte changes.</source>
        <translation>改变数据包体的读法；不改动任何字节。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>DifferencesModel</name>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>本文件</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>另一份</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 more frames</source>
        <translation>还有 %1 帧</translation>
    </message>
    <message>
        <source>%1 differences of other fields</source>
        <translation>其他字段有 %1 处差异</translation>
    </message>
    <message>
        <source>Frame in one recording only</source>
        <translation>仅一份有的帧</translation>
    </message>
    <message>
        <source>Frame %1</source>
        <translation>第 %1 帧</translation>
    </message>
    <message>
        <source>only here</source>
        <translation>仅此处有</translation>
    </message>
    <message>
        <source>only in the other</source>
        <translation>仅另一份有</translation>
    </message>
    <message>
        <source>Actor %1</source>
        <translation>参与者 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>other bytes</source>
        <translation>其他字节</translation>
    </message>
    <message>
        <source>there</source>
        <translation>存在</translation>
    </message>
</context>
<context>
    <name>DifferencesPane</name>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Previous difference</source>
        <translation>上一处差异</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>下一处差异</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Change this recording to match the other one here</source>
        <translation>把本记录文件此处改成与另一份相同</translation>
    </message>
    <message>
        <source>the same as %1</source>
        <translation>与 %1 相同</translation>
    </message>
    <message>
        <source>No other recording</source>
        <translation>没有另一份记录文件</translation>
    </message>
    <message>
        <source>File &gt; Compare with opens another one</source>
        <translation>用“文件 &gt; 与其他文件比较”打开另一份</translation>
    </message>
    <message>
        <source>The two recordings are the same</source>
        <translation>两份记录文件相同</translation>
    </message>
    <message>
        <source>Only bytes outside of frames are different</source>
        <translation>只有不属于任何帧的字节不同</translation>
    </message>
</context>
<context>
    <name>DockTitle</name>
    <message>
        <source>More switches</source>
        <translation>更多开关</translation>
    </message>
</context>
<context>
    <name>Documents</name>
    <message>
        <source>A job failed</source>
        <translation>一项任务失败</translation>
    </message>
    <message>
        <source>Open a recording</source>
        <translation>打开记录文件</translation>
    </message>
    <message>
        <source>Another file is being read or written; cancel that first.</source>
        <translation>正在读取或写入另一个文件，请先取消它。</translation>
    </message>
    <message>
        <source>%1 could not be opened</source>
        <translation>无法打开 %1</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>与其他文件比较</translation>
    </message>
    <message>
        <source>%1 could not be compared</source>
        <translation>无法与 %1 比较</translation>
    </message>
    <message>
        <source>Append recording</source>
        <translation>追加记录文件</translation>
    </message>
    <message>
        <source>The file is still being read; try again when that is done.</source>
        <translation>文件仍在读取，请在读完后再试。</translation>
    </message>
    <message>
        <source>Open a recording first; then drop its road map.</source>
        <translation>请先打开记录文件，再拖入其道路地图。</translation>
    </message>
    <message>
        <source>Open here</source>
        <translation>在此打开</translation>
    </message>
    <message>
        <source>New window</source>
        <translation>新建窗口</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Append</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>another recording</source>
        <translation>另一份记录文件</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open %1?</source>
        <translation>打开 %1？</translation>
    </message>
    <message>
        <source>This window shows %1.</source>
        <translation>本窗口显示 %1。</translation>
    </message>
    <message>
        <source>Not all edits of %1 could be restored</source>
        <translation>%1 的编辑未能全部恢复</translation>
    </message>
    <message>
        <source>The edits of %1 were not restored</source>
        <translation>未能恢复 %1 的编辑</translation>
    </message>
    <message>
        <source>Restoring %1</source>
        <translation>正在恢复 %1</translation>
    </message>
    <message>
        <source>Make a demo recording</source>
        <translation>生成演示记录文件</translation>
    </message>
    <message>
        <source>%1 could not be written</source>
        <translation>无法写入 %1</translation>
    </message>
    <message>
        <source>Making a demo recording</source>
        <translation>正在生成演示记录文件</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Saved %1, %2, %3.</source>
        <translation>已保存 %1，%2，%3。</translation>
    </message>
    <message>
        <source>Save as...</source>
        <translation>另存为...</translation>
    </message>
    <message>
        <source>%1 was not saved</source>
        <translation>%1 未保存</translation>
    </message>
</context>
<context>
    <name>Editing</name>
    <message>
        <source>With this %1 the file would not be recognised as a recording.</source>
        <translation>若采用此%1，文件将不再被识别为记录文件。</translation>
    </message>
</context>
<context>
    <name>ErrorDialog</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Open issue page</source>
        <translation>打开问题反馈页面</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Excerpt</name>
    <message>
        <source>Bytes at the damage</source>
        <translation>损坏处的字节</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Bytes before and after the repair</source>
        <translation>修复前后的字节</translation>
    </message>
    <message>
        <source>From 0x%1: %2</source>
        <translation>从 0x%1 起：%2</translation>
    </message>
    <message>
        <source>nothing is left here</source>
        <translation>此处已没有内容</translation>
    </message>
    <message>
        <source>the recording ends here</source>
        <translation>记录文件到此结束</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Write the recording in a format for other programs</source>
        <translation>把记录文件写成其他程序可用的格式</translation>
    </message>
    <message>
        <source>First rows</source>
        <translation>前几行</translation>
    </message>
    <message>
        <source>Export...</source>
        <translation>导出...</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>all; or hero, 174, 174@250, role:NAME, type:vehicle.*</source>
        <translation>all；或 hero、174、174@250、role:NAME、type:vehicle.*</translation>
    </message>
    <message>
        <source>Actors</source>
        <translation>参与者</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>The actors that are selected in the window</source>
        <translation>窗口中所选的参与者</translation>
    </message>
    <message>
        <source>Whole recording</source>
        <translation>整个记录文件</translation>
    </message>
    <message>
        <source>In-out range</source>
        <translation>入出点区间</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>Trajectories of moving actors; there is no table</source>
        <translation>移动参与者的轨迹；没有表格</translation>
    </message>
    <message>
        <source>Boxes, frames, poses, signals and events for Foxglove; there is no table</source>
        <translation>供 Foxglove 使用的边界框、坐标系、位姿、信号和事件；没有表格</translation>
    </message>
    <message>
        <source>Preparing the preview</source>
        <translation>正在准备预览</translation>
    </message>
    <message>
        <source>No rows</source>
        <translation>没有行</translation>
    </message>
    <message>
        <source>This table has no rows for these frames and actors</source>
        <translation>此表格在这些帧和参与者上没有行</translation>
    </message>
    <message>
        <source>Wrote %1, %2</source>
        <translation>已写入 %1，%2</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Replace %1?</source>
        <translation>要替换 %1 吗？</translation>
    </message>
    <message>
        <source>It holds another layout than that of this export. The exported file is written.</source>
        <translation>其中的布局与本次导出的不同。导出的文件已写好。</translation>
    </message>
</context>
<context>
    <name>ExpressionCompleter</name>
    <message>
        <source>Completions</source>
        <translation>补全建议</translation>
    </message>
</context>
<context>
    <name>ExpressionDialog</name>
    <message>
        <source>A number from each record, as in Find and replace, plotted for the selected actors.</source>
        <translation>从每条记录算出一个数，写法与“查找和替换”相同，按所选参与者绘制。</translation>
    </message>
    <message>
        <source>Plot expression</source>
        <translation>绘制表达式</translation>
    </message>
    <message>
        <source>Plot an expression over time</source>
        <translation>绘制表达式随时间的变化</translation>
    </message>
    <message>
        <source>Name and unit</source>
        <translation>名称和单位</translation>
    </message>
    <message>
        <source>Expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Write the unit in brackets after the name</source>
        <translation>单位写在名称后的括号中</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>绘制</translation>
    </message>
</context>
<context>
    <name>FieldForm</name>
    <message>
        <source>The bytes of this field; click to select them</source>
        <translation>此字段的字节；单击可选中</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>Not a number.</source>
        <translation>不是数字。</translation>
    </message>
</context>
<context>
    <name>FileMap</name>
    <message>
        <source>Map of the file: damage and edits</source>
        <translation>文件概图：损坏与编辑</translation>
    </message>
    <message>
        <source>The whole file: damage hatched, edits marked; click to go there</source>
        <translation>整个文件：损坏处画斜线，编辑处有标记；单击可转到该处</translation>
    </message>
</context>
<context>
    <name>FileWatcher</name>
    <message>
        <source>%1 is reloaded whenever it grows.</source>
        <translation>%1 每次变大都会重新载入。</translation>
    </message>
    <message>
        <source>Edits of %1 would be lost in a crash: the folder %2 is not writable. Save soon.</source>
        <translation>若程序崩溃，%1 的编辑会丢失：文件夹 %2 不可写。请尽快保存。</translation>
    </message>
    <message>
        <source>%1 is open in another window, too. The window that saves second will be asked for another name.</source>
        <translation>%1 也在另一个窗口中打开。后保存的窗口会要求另取文件名。</translation>
    </message>
    <message>
        <source>%1 was deleted or moved. This window still has it.</source>
        <translation>%1 已被删除或移走。本窗口仍保有其内容。</translation>
    </message>
    <message>
        <source>%1 was replaced by another file. This window still has the old one.</source>
        <translation>%1 已被另一个文件替换。本窗口仍保有旧文件。</translation>
    </message>
    <message>
        <source>Another program has rewritten %1. What was not read before is lost.</source>
        <translation>另一个程序改写了 %1。尚未读取的内容已丢失。</translation>
    </message>
    <message>
        <source>Another program has rewritten %1. What was not read before is lost; the edits are still here.</source>
        <translation>另一个程序改写了 %1。尚未读取的内容已丢失；编辑仍在。</translation>
    </message>
    <message>
        <source>%1 is still being written: it has %2 more than this window shows.</source>
        <translation>%1 仍在写入：比本窗口显示的多 %2。</translation>
    </message>
    <message>
        <source>%1 has grown: it has %2 more than this window shows.</source>
        <translation>%1 变大了：比本窗口显示的多 %2。</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Search text</source>
        <translation>搜索文本</translation>
    </message>
    <message>
        <source>Find bytes, as in ff 00 3f</source>
        <translation>查找字节，例如 ff 00 3f</translation>
    </message>
    <message>
        <source>Previous (Shift+F3)</source>
        <translation>上一个 (Shift+F3)</translation>
    </message>
    <message>
        <source>Next (F3)</source>
        <translation>下一个 (F3)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>Find text, as in vehicle.</source>
        <translation>查找文本，例如 vehicle.</translation>
    </message>
    <message>
        <source>Find a value of %1</source>
        <translation>查找 %1 的值</translation>
    </message>
</context>
<context>
    <name>FindingDelegate</name>
    <message>
        <source>frame %1</source>
        <translation>第 %1 帧</translation>
    </message>
</context>
<context>
    <name>FlagsEdit</name>
    <message>
        <source>Unnamed bits; they do not change.</source>
        <translation>未命名的位；保持不变。</translation>
    </message>
</context>
<context>
    <name>FolderRow</name>
    <message>
        <source>Choose...</source>
        <translation>选择...</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Clean up</source>
        <translation>清理</translation>
    </message>
    <message>
        <source>Remove files of ended programs that no unsaved edits need</source>
        <translation>删除已结束的程序留下、且没有未保存编辑需要的文件</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Scratch files %1, journals %2, reports %3</source>
        <translation>临时文件 %1，日志 %2，报告 %3</translation>
    </message>
    <message>
        <source>Folder of unsaved edits</source>
        <translation>未保存编辑的文件夹</translation>
    </message>
    <message>
        <source>Edits of recordings that are opened from now on are kept here.</source>
        <translation>此后打开的记录文件的编辑保存在这里。</translation>
    </message>
    <message>
        <source>Removed %1. </source>
        <translation>已移除 %1。</translation>
    </message>
    <message>
        <source>%1 belong to open recordings or to unsaved edits.</source>
        <translation>其中 %1 属于已打开的记录文件或未保存的编辑。</translation>
    </message>
</context>
<context>
    <name>FormDialog</name>
    <message>
        <source>Draw</source>
        <translation>绘制</translation>
    </message>
</context>
<context>
    <name>FrameForm</name>
    <message>
        <source>Contents</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>packets</source>
        <translation>数据包</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
</context>
<context>
    <name>GuideWindow</name>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>搜索指南</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>HeaderForm</name>
    <message>
        <source>File header</source>
        <translation>文件头部信息</translation>
    </message>
    <message>
        <source>date, UTC</source>
        <translation>日期，UTC</translation>
    </message>
</context>
<context>
    <name>HexPane</name>
    <message>
        <source>Data inspector</source>
        <translation>数据检查器</translation>
    </message>
    <message>
        <source>The bytes at the caret as each data type</source>
        <translation>把光标处的字节按各种数据类型显示</translation>
    </message>
    <message>
        <source>%1 per row, raw</source>
        <translation>每行 %1 个，原始</translation>
    </message>
    <message>
        <source>%1 per row</source>
        <translation>每行 %1 个</translation>
    </message>
    <message>
        <source>INS</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>OVR</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Typing inserts</source>
        <translation>输入时插入</translation>
    </message>
    <message>
        <source>Typing overwrites</source>
        <translation>输入时改写</translation>
    </message>
    <message>
        <source>changed meanwhile</source>
        <translation>已在别处更改</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Finding bytes</source>
        <translation>正在查找字节</translation>
    </message>
    <message>
        <source>The first %1 of %2 bytes were copied; export the rest to a file.</source>
        <translation>已复制 %2 字节中的前 %1 字节；其余请导出到文件。</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Fill %1 bytes with (hex):</source>
        <translation>用十六进制填充 %1 字节：</translation>
    </message>
    <message>
        <source>Enter hex bytes, such as 00 or de ad.</source>
        <translation>请输入十六进制字节，例如 00 或 de ad。</translation>
    </message>
    <message>
        <source>grey: packet header; two tints: alternating fields; hatched: damage; underlined: edited</source>
        <translation>灰色：数据包头部；两种底色：相邻字段；斜线：损坏；下划线：已编辑</translation>
    </message>
    <message>
        <source>Copy as hex</source>
        <translation>复制为十六进制</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy as Python bytes</source>
        <translation>复制为 Python 字节串</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Fill...</source>
        <translation>填充...</translation>
    </message>
    <message>
        <source>Find...</source>
        <translation>查找...</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Insert mode</source>
        <translation>插入模式</translation>
    </message>
    <message>
        <source>Raw mode</source>
        <translation>原始模式</translation>
    </message>
</context>
<context>
    <name>HexView</name>
    <message>
        <source>Bytes of the recording</source>
        <translation>记录文件的字节</translation>
    </message>
    <message>
        <source>These bytes cannot be read any more</source>
        <translation>这些字节已无法读取</translation>
    </message>
    <message>
        <source>The file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2 处的 %1</translation>
    </message>
    <message>
        <source>Type hex digits here; Ctrl+Tab goes to the text column.</source>
        <translation>请在此输入十六进制数字；按 Ctrl+Tab 转到文本列。</translation>
    </message>
    <message>
        <source>Bytes can be removed in insert mode only (Insert).</source>
        <translation>只有在插入模式（Insert）下才能删除字节。</translation>
    </message>
    <message>
        <source>The clipboard does not contain bytes.</source>
        <translation>剪贴板中没有字节。</translation>
    </message>
    <message>
        <source>At most %1 bytes are filled at once.</source>
        <translation>一次最多填充 %1 字节。</translation>
    </message>
</context>
<context>
    <name>HighdDialog</name>
    <message>
        <source>Import highD</source>
        <translation>导入 highD</translation>
    </message>
    <message>
        <source>Make a recording of a highD dataset</source>
        <translation>由 highD 数据集生成记录文件</translation>
    </message>
    <message>
        <source>Bounding boxes keep their size, with the closest blueprints. The file is written and opened.</source>
        <translation>边界框尺寸不变，采用最接近的蓝图。文件写好后随即打开。</translation>
    </message>
    <message>
        <source>Import...</source>
        <translation>导入...</translation>
    </message>
    <message>
        <source>The folder of NN_tracks.csv</source>
        <translation>NN_tracks.csv 所在的文件夹</translation>
    </message>
    <message>
        <source>There is no NN_tracks.csv in this folder.</source>
        <translation>此文件夹中没有 NN_tracks.csv。</translation>
    </message>
    <message>
        <source>Importing highD</source>
        <translation>正在导入 highD</translation>
    </message>
</context>
<context>
    <name>HistoryModel</name>
    <message>
        <source>shown</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Opened, %1 older edits forgotten</source>
        <translation>已打开，%1 项较早的编辑已被遗忘</translation>
    </message>
    <message>
        <source>Opened, no edits yet</source>
        <translation>已打开，尚无编辑</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>已打开</translation>
    </message>
</context>
<context>
    <name>HistoryView</name>
    <message>
        <source>History of edits</source>
        <translation>编辑历史</translation>
    </message>
    <message>
        <source>Save as script...</source>
        <translation>保存为脚本...</translation>
    </message>
    <message>
        <source>Save the edits as a script for other recordings</source>
        <translation>把编辑保存为脚本，用于其他记录文件</translation>
    </message>
</context>
<context>
    <name>HoverCard</name>
    <message>
        <source>Explain in the guide</source>
        <translation>在指南中查看说明</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>%1 at the caret</source>
        <translation>光标处的 %1</translation>
    </message>
</context>
<context>
    <name>ItemTable</name>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Colour...</source>
        <translation>颜色...</translation>
    </message>
</context>
<context>
    <name>JobStrip</name>
    <message>
        <source>%1: ended</source>
        <translation>%1：已结束</translation>
    </message>
    <message>
        <source>%1: cancelled</source>
        <translation>%1：已取消</translation>
    </message>
</context>
<context>
    <name>KeysRow</name>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Reassign</source>
        <translation>改作此用</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>this key</source>
        <translation>此按键</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>This key belongs to the pane; it cannot be changed.</source>
        <translation>此按键属于该面板，不能更改。</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1 is the key of “%2”.</source>
        <translation>%1 是“%2”的按键。</translation>
    </message>
    <message>
        <source>%1 is the key of “%2” in some panes (%3), and cannot be reassigned.</source>
        <translation>%1 是“%2”在某些面板（%3）中的按键，不能改作他用。</translation>
    </message>
</context>
<context>
    <name>LanguageNotice</name>
    <message>
        <source>Close the windows and open them again, with the unsaved edits and where they are</source>
        <translation>关闭所有窗口并重新打开，保留未保存的编辑和当前位置</translation>
    </message>
    <message>
        <source>Reopen</source>
        <translation>重新打开</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>Signals and their values</source>
        <translation>信号及其值</translation>
    </message>
</context>
<context>
    <name>LegendModel</name>
    <message>
        <source>not read</source>
        <translation>未读取</translation>
    </message>
    <message>
        <source>Signal</source>
        <translation>信号</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>%1, hidden</source>
        <translation>%1，已隐藏</translation>
    </message>
</context>
<context>
    <name>Library</name>
    <message>
        <source>Recordings</source>
        <translation>记录文件</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>记录库</translation>
    </message>
    <message>
        <source>Index folder...</source>
        <translation>为文件夹建索引...</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>起始页</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>Nothing is in the index of this folder</source>
        <translation>此文件夹的索引中没有内容</translation>
    </message>
    <message>
        <source>No folder is indexed</source>
        <translation>还没有为文件夹建立索引</translation>
    </message>
    <message>
        <source>Index folder... reads the recordings of a folder once, then they are found here.</source>
        <translation>“为文件夹建索引...”把文件夹中的记录文件读取一次，之后就可以在这里查找。</translation>
    </message>
    <message>
        <source>No row matches</source>
        <translation>没有匹配的行</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Index folder</source>
        <translation>为文件夹建索引</translation>
    </message>
</context>
<context>
    <name>Listing</name>
    <message>
        <source>Listing matches</source>
        <translation>正在列出匹配处</translation>
    </message>
</context>
<context>
    <name>LookingView</name>
    <message>
        <source>%1 of them far away</source>
        <translation>其中 %1 个相距很远</translation>
    </message>
    <message>
        <source>following %1</source>
        <translation>正在跟随 %1</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>打开最近的文件</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>清空列表</translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message>
        <source>Stop reloading</source>
        <translation>停止重新载入</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>MomentEdit</name>
    <message>
        <source>mixed</source>
        <translation>多个值</translation>
    </message>
    <message>
        <source>%1 s since 1970</source>
        <translation>自 1970 年起 %1 s</translation>
    </message>
</context>
<context>
    <name>MomentLine</name>
    <message>
        <source>Seconds, h:mm:ss, or a frame as #250</source>
        <translation>秒数、h:mm:ss，或形如 #250 的帧</translation>
    </message>
</context>
<context>
    <name>NotesPane</name>
    <message>
        <source>Take over</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>B in the scene or timeline makes one.</source>
        <translation>在场景或时间轴中按 B 添加。</translation>
    </message>
    <message>
        <source>No note matches</source>
        <translation>没有匹配的备注</translation>
    </message>
    <message>
        <source>No notes</source>
        <translation>没有备注</translation>
    </message>
</context>
<context>
    <name>NumberEdit</name>
    <message>
        <source>Not a whole number.</source>
        <translation>不是整数。</translation>
    </message>
    <message>
        <source>Not a number.</source>
        <translation>不是数字。</translation>
    </message>
    <message>
        <source>The smallest value here is %1.</source>
        <translation>此处最小值为 %1。</translation>
    </message>
    <message>
        <source>The largest value here is %1.</source>
        <translation>此处最大值为 %1。</translation>
    </message>
</context>
<context>
    <name>Options</name>
    <message>
        <source>Map</source>
        <translation>地图</translation>
    </message>
    <message>
        <source>Last good frame</source>
        <translation>最后一个完好的帧</translation>
    </message>
    <message>
        <source>Everything after this frame is left out</source>
        <translation>舍弃此帧之后的全部内容</translation>
    </message>
    <message>
        <source>Restore from a copy...</source>
        <translation>从副本恢复...</translation>
    </message>
    <message>
        <source>Restore damaged or missing parts from another copy of the recording</source>
        <translation>从记录文件的另一份副本恢复损坏或缺失的部分</translation>
    </message>
    <message>
        <source>Remove the other copy</source>
        <translation>移除另一份副本</translation>
    </message>
    <message>
        <source>The name of the map is unknown, and the simulator needs it.</source>
        <translation>地图名称未知，而仿真器需要它。</translation>
    </message>
    <message>
        <source>Other copy: %1</source>
        <translation>另一份副本：%1</translation>
    </message>
</context>
<context>
    <name>PacketCommands</name>
    <message>
        <source>There is no other %1 with records.</source>
        <translation>没有其他含记录的 %1。</translation>
    </message>
    <message>
        <source>Finding the next %1</source>
        <translation>正在查找下一个 %1</translation>
    </message>
    <message>
        <source>Only the first %1 MiB were copied.</source>
        <translation>只复制了前 %1 MiB。</translation>
    </message>
    <message>
        <source>The file header cannot be removed.</source>
        <translation>文件头部信息不能移除。</translation>
    </message>
    <message>
        <source>The file header cannot be duplicated.</source>
        <translation>不能创建文件头部信息的副本。</translation>
    </message>
    <message>
        <source>Export body</source>
        <translation>导出数据包体</translation>
    </message>
    <message>
        <source>Replace body</source>
        <translation>替换数据包体</translation>
    </message>
    <message>
        <source>Copy as hex</source>
        <translation>复制为十六进制</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>Copy as Python bytes</source>
        <translation>复制为 Python 字节串</translation>
    </message>
    <message>
        <source>Plot over time</source>
        <translation>绘制随时间的变化</translation>
    </message>
    <message>
        <source>Next %1</source>
        <translation>下一个%1</translation>
    </message>
    <message>
        <source>Previous %1</source>
        <translation>上一个%1</translation>
    </message>
    <message>
        <source>Explain in the guide</source>
        <translation>在指南中查看说明</translation>
    </message>
    <message>
        <source>Export body...</source>
        <translation>导出数据包体...</translation>
    </message>
    <message>
        <source>Replace body from file...</source>
        <translation>用文件替换数据包体...</translation>
    </message>
    <message>
        <source>Actor %1</source>
        <translation>参与者 %1</translation>
    </message>
    <message>
        <source>Insert packet</source>
        <translation>插入数据包</translation>
    </message>
    <message>
        <source>Insert empty frame</source>
        <translation>插入空帧</translation>
    </message>
    <message>
        <source>Insert packet before</source>
        <translation>在其前插入数据包</translation>
    </message>
    <message>
        <source>Insert packet after</source>
        <translation>在其后插入数据包</translation>
    </message>
    <message>
        <source>Insert record</source>
        <translation>插入记录</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
</context>
<context>
    <name>PacketDelegate</name>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>PacketFacts</name>
    <message>
        <source>id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>body</source>
        <translation>数据包体</translation>
    </message>
    <message>
        <source>count</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>This body is not decoded; edit its bytes in the Bytes pane.</source>
        <translation>此数据包体未解码；请在“字节”面板中编辑其字节。</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>PacketModel</name>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
</context>
<context>
    <name>PacketPane</name>
    <message>
        <source>Filter: Position where speed &gt; 8</source>
        <translation>过滤：Position where speed &gt; 8</translation>
    </message>
    <message>
        <source>Words, or a query. Enter goes to the next frame with a match, Recording lists all of them.</source>
        <translation>单词或查询。按 Enter 转到下一个匹配的帧，“记录文件”可列出全部匹配帧。</translation>
    </message>
    <message>
        <source>What is shown</source>
        <translation>显示的内容</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>This frame</source>
        <translation>此帧</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>记录文件</translation>
    </message>
    <message>
        <source>Finding the next match</source>
        <translation>正在查找下一处匹配</translation>
    </message>
    <message>
        <source>The first %1, up to frame %2. A narrower filter shows the rest.</source>
        <translation>前 %1 个，到第 %2 帧为止。收窄过滤条件可显示其余部分。</translation>
    </message>
    <message>
        <source>%1 up to frame %2 of %3...</source>
        <translation>%1，已到第 %2 帧，共 %3 帧……</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>PacketView</name>
    <message>
        <source>Packets</source>
        <translation>数据包</translation>
    </message>
</context>
<context>
    <name>PaletteField</name>
    <message>
        <source>Found</source>
        <translation>找到的内容</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>PaneFooter</name>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
</context>
<context>
    <name>PathDrawing</name>
    <message>
        <source>No lanes lead from the last place to this one. With Shift the path leads there straight.</source>
        <translation>没有车道从上一处通到这里。按住 Shift 则直线到达。</translation>
    </message>
</context>
<context>
    <name>PathEditing</name>
    <message>
        <source>The path is being read.</source>
        <translation>正在读取路径。</translation>
    </message>
    <message>
        <source>Editing the path of %1</source>
        <translation>正在编辑 %1 的路径</translation>
    </message>
    <message>
        <source>Reading the path</source>
        <translation>正在读取路径</translation>
    </message>
    <message>
        <source>Judging the path</source>
        <translation>正在评估路径</translation>
    </message>
</context>
<context>
    <name>PathLine</name>
    <message>
        <source>Choose...</source>
        <translation>选择...</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>选择%1</translation>
    </message>
</context>
<context>
    <name>Picker</name>
    <message>
        <source>Plot signals</source>
        <translation>绘制信号</translation>
    </message>
    <message>
        <source>Plot signals over time</source>
        <translation>绘制信号随时间的变化</translation>
    </message>
    <message>
        <source>Search by actor and signal: 3890 speed, hero steering</source>
        <translation>按参与者和信号搜索：3890 speed、hero steering</translation>
    </message>
    <message>
        <source>Signals</source>
        <translation>信号</translation>
    </message>
    <message>
        <source>Expression...</source>
        <translation>表达式...</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>绘制</translation>
    </message>
    <message>
        <source>No signal matches.</source>
        <translation>没有匹配的信号。</translation>
    </message>
    <message>
        <source>The first %1; type more to narrow the list.</source>
        <translation>前 %1 个；继续输入可缩小列表。</translation>
    </message>
    <message>
        <source>Ctrl or Shift choose several; a field can be dragged here from other panes.</source>
        <translation>按 Ctrl 或 Shift 可多选；也可从其他面板把字段拖到这里。</translation>
    </message>
    <message>
        <source>%1 selected actors</source>
        <translation>选中 %1 个参与者</translation>
    </message>
</context>
<context>
    <name>PlotView</name>
    <message>
        <source>Signals over time</source>
        <translation>信号随时间的变化</translation>
    </message>
    <message>
        <source>frame %1</source>
        <translation>第 %1 帧</translation>
    </message>
</context>
<context>
    <name>PreferenceRow</name>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Search the preferences</source>
        <translation>搜索首选项</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>No preference matches.</source>
        <translation>没有匹配的首选项。</translation>
    </message>
    <message>
        <source>Choices are remembered, and all but the language take effect at once.</source>
        <translation>所选项会被记住；除语言外均立即生效。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>PreviewDialog</name>
    <message>
        <source>Computing...</source>
        <translation>正在计算……</translation>
    </message>
    <message>
        <source>An unexpected error occurred.</source>
        <translation>发生了意外错误。</translation>
    </message>
    <message>
        <source>%1 is the recording itself; choose another name.</source>
        <translation>%1 就是该记录文件本身，请另选文件名。</translation>
    </message>
</context>
<context>
    <name>ProblemFoot</name>
    <message>
        <source>Why it matters</source>
        <translation>重要原因</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>修正</translation>
    </message>
    <message>
        <source>Fix all of this kind</source>
        <translation>修正所有同类问题</translation>
    </message>
    <message>
        <source>There is no fix for this</source>
        <translation>此问题没有修正方法</translation>
    </message>
    <message>
        <source>Fix all %1</source>
        <translation>全部修正 (%1)</translation>
    </message>
    <message>
        <source>Fix all problems of this kind in one undo step</source>
        <translation>修正所有同类问题，算作一个撤销步骤</translation>
    </message>
</context>
<context>
    <name>ProblemsModel</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>修正：%1</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>frame %1</source>
        <translation>第 %1 帧</translation>
    </message>
    <message>
        <source>%1, %2: %3 (%4)</source>
        <translation>%1，%2：%3（%4）</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
</context>
<context>
    <name>ProblemsTable</name>
    <message>
        <source>No problem matches</source>
        <translation>没有匹配的问题</translation>
    </message>
    <message>
        <source>No recording open</source>
        <translation>没有打开记录文件</translation>
    </message>
    <message>
        <source>Checking...</source>
        <translation>正在检查……</translation>
    </message>
    <message>
        <source>Select the bytes</source>
        <translation>选择这些字节</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>修正</translation>
    </message>
    <message>
        <source>Fix all of this kind</source>
        <translation>修正所有同类问题</translation>
    </message>
    <message>
        <source>Explain in the guide</source>
        <translation>在指南中查看说明</translation>
    </message>
</context>
<context>
    <name>Program</name>
    <message>
        <source>Unexpected error</source>
        <translation>意外错误</translation>
    </message>
</context>
<context>
    <name>ProgressStrip</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the job</source>
        <translation>取消任务</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>about %1 s left</source>
        <translation>约剩 %1 秒</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>约剩 %1 分钟</translation>
    </message>
</context>
<context>
    <name>PropertiesDialog</name>
    <message>
        <source>A recording that is still being read</source>
        <translation>仍在读取的记录文件</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>属性信息</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Counting packets</source>
        <translation>正在统计数据包</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>记录时间</translation>
    </message>
    <message>
        <source>%1, %2, version %3</source>
        <translation>%1，%2，版本号 %3</translation>
    </message>
    <message>
        <source>the header cannot be read</source>
        <translation>头部信息无法读取</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>发行版本</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>fixed steps of %1 s</source>
        <translation>固定步长 %1 s</translation>
    </message>
    <message>
        <source>steps of %2 to %3 s, median %1 s</source>
        <translation>步长 %2 至 %3 s，中位数 %1 s</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Actors</source>
        <translation>参与者</translation>
    </message>
    <message>
        <source>Collisions</source>
        <translation>碰撞</translation>
    </message>
    <message>
        <source>Packets</source>
        <translation>数据包</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Packets and bytes by type</source>
        <translation>按类型统计的数据包和字节</translation>
    </message>
    <message>
        <source>Counting packets...</source>
        <translation>正在统计数据包……</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>No frames in this file</source>
        <translation>此文件中没有帧</translation>
    </message>
    <message>
        <source>%1: %2 % of the file</source>
        <translation>%1：占文件的 %2 %</translation>
    </message>
</context>
<context>
    <name>RawFacts</name>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>from</source>
        <translation>从</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>what</source>
        <translation>内容</translation>
    </message>
</context>
<context>
    <name>RecentFiles</name>
    <message>
        <source>Recordings that were open are listed here.</source>
        <translation>打开过的记录文件会列在这里。</translation>
    </message>
</context>
<context>
    <name>RecordForm</name>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>on screen</source>
        <translation>屏幕上</translation>
    </message>
    <message>
        <source>The colour as screens show it, 0 to 255; the file holds linear values</source>
        <translation>屏幕显示的颜色，0 到 255；文件中存的是线性值</translation>
    </message>
</context>
<context>
    <name>RecordPage</name>
    <message>
        <source>Derived</source>
        <translation>导出量</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>typing adds to all of them</source>
        <translation>输入的数会加到所有项上</translation>
    </message>
    <message>
        <source>typing sets all of them</source>
        <translation>输入的值会设给所有项</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>速度</translation>
    </message>
</context>
<context>
    <name>Recovery</name>
    <message>
        <source>No unsaved edits of earlier runs were found.</source>
        <translation>未发现以往运行留下的未保存编辑。</translation>
    </message>
    <message>
        <source>The edits of %1 were not discarded</source>
        <translation>未能放弃 %1 的编辑</translation>
    </message>
</context>
<context>
    <name>RecoveryDialog</name>
    <message>
        <source>Unsaved edits</source>
        <translation>未保存的编辑</translation>
    </message>
    <message>
        <source>Unsaved edits of %1 were found</source>
        <translation>发现 %1 有未保存的编辑</translation>
    </message>
    <message>
        <source>The program ended before they were saved: %1. The file itself is unchanged.</source>
        <translation>程序在保存之前结束：%1。文件本身没有改变。</translation>
    </message>
    <message>
        <source>Edits from before the last save are in the file and cannot be undone.</source>
        <translation>上次保存之前的编辑已写入文件，无法撤销。</translation>
    </message>
    <message>
        <source>The edits</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>List the edits</source>
        <translation>列出编辑</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Open the folder of the file</source>
        <translation>打开文件所在的文件夹</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Discard the edits of %1 permanently?</source>
        <translation>永久放弃 %1 的编辑？</translation>
    </message>
</context>
<context>
    <name>RepairFooter</name>
    <message>
        <source>Save report...</source>
        <translation>保存报告...</translation>
    </message>
    <message>
        <source>Write what is kept and lost to a text file</source>
        <translation>把保留和丢失的内容写入文本文件</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Save repaired copy...</source>
        <translation>保存修复后的副本...</translation>
    </message>
    <message>
        <source>Save under another name; the damaged file is not changed</source>
        <translation>另存为其他文件名；损坏的文件不变</translation>
    </message>
    <message>
        <source>There is no command for this: a command runs all steps, on the saved file</source>
        <translation>没有对应的命令：命令会对已保存的文件运行所有步骤</translation>
    </message>
    <message>
        <source>Copy the command that does the same</source>
        <translation>复制等效的命令</translation>
    </message>
    <message>
        <source>Save copy...</source>
        <translation>保存副本...</translation>
    </message>
    <message>
        <source>Report...</source>
        <translation>报告...</translation>
    </message>
</context>
<context>
    <name>RepairPane</name>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Another copy of this recording</source>
        <translation>本记录文件的另一份副本</translation>
    </message>
    <message>
        <source>The file is still being read</source>
        <translation>文件仍在读取</translation>
    </message>
    <message>
        <source>Looking for recoverable data...</source>
        <translation>正在查找可恢复的数据……</translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Looking for recoverable data</source>
        <translation>正在查找可恢复的数据</translation>
    </message>
    <message>
        <source>Checking the result</source>
        <translation>正在检查结果</translation>
    </message>
    <message>
        <source>This recording could not be read</source>
        <translation>无法读取此记录文件</translation>
    </message>
    <message>
        <source>Nothing can be recovered</source>
        <translation>没有可恢复的内容</translation>
    </message>
    <message>
        <source>All %1 frames are whole.</source>
        <translation>全部 %1 帧都完整。</translation>
    </message>
    <message>
        <source>The only frame is whole.</source>
        <translation>仅有的一帧是完整的。</translation>
    </message>
    <message>
        <source>There is nothing to repair</source>
        <translation>没有需要修复的内容</translation>
    </message>
    <message>
        <source>Repairing</source>
        <translation>正在修复</translation>
    </message>
    <message>
        <source>There is nothing to repair.</source>
        <translation>没有需要修复的内容。</translation>
    </message>
    <message>
        <source>Repaired: %1 frames, nothing lost. Undo takes it back.</source>
        <translation>已修复：%1 帧，没有丢失任何内容。可用“撤销”恢复原状。</translation>
    </message>
    <message>
        <source>Repaired: %1 frames are kept. Undo takes it back.</source>
        <translation>已修复：保留 %1 帧。可用“撤销”恢复原状。</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
</context>
<context>
    <name>RepairSummary</name>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Before and after the repair</source>
        <translation>修复前后</translation>
    </message>
    <message>
        <source>After the repair</source>
        <translation>修复之后</translation>
    </message>
    <message>
        <source>packets</source>
        <translation>数据包</translation>
    </message>
    <message>
        <source>records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Lost, by type of packet</source>
        <translation>按数据包类型统计的丢失</translation>
    </message>
    <message>
        <source>Lost, by type</source>
        <translation>按类型统计的丢失</translation>
    </message>
    <message>
        <source>What can be read of the damaged recording</source>
        <translation>损坏的记录文件中可以读取的内容</translation>
    </message>
    <message>
        <source>What can be read of the repaired recording</source>
        <translation>修复后的记录文件中可以读取的内容</translation>
    </message>
    <message>
        <source>What no repair brings back, also where it cannot be read before the repair</source>
        <translation>无法通过修复恢复的内容，包括修复之前就无法读取的部分</translation>
    </message>
    <message>
        <source>What was done</source>
        <translation>已执行的操作</translation>
    </message>
    <message>
        <source>Proposed steps</source>
        <translation>建议的步骤</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>stays as it is</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>actors</source>
        <translation>参与者</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Before and after: without the time of frames that are missing</source>
        <translation>之前和之后均不含缺失帧的时间</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1，另有 %2 个</translation>
    </message>
    <message>
        <source>Ids of actors whose creation is lost: %1</source>
        <translation>创建信息已丢失的参与者 ID：%1</translation>
    </message>
    <message>
        <source>No step is selected.</source>
        <translation>未选择任何步骤。</translation>
    </message>
    <message>
        <source>Only another copy of this recording could help.</source>
        <translation>只有本记录文件的另一份副本才有帮助。</translation>
    </message>
    <message>
        <source>Checking the result...</source>
        <translation>正在检查结果……</translation>
    </message>
    <message>
        <source>No error is left</source>
        <translation>没有剩余错误</translation>
    </message>
    <message>
        <source>Nothing is lost, and no error would be left</source>
        <translation>没有丢失任何内容，也不会再有错误</translation>
    </message>
    <message>
        <source>No error would be left</source>
        <translation>不会再有错误</translation>
    </message>
</context>
<context>
    <name>ReplaceDialog</name>
    <message>
        <source>Change fields of the records that match a condition</source>
        <translation>更改满足条件的记录的字段</translation>
    </message>
    <message>
        <source>Find and replace</source>
        <translation>查找和替换</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply all changes as one undo step</source>
        <translation>应用全部更改，算作一个撤销步骤</translation>
    </message>
    <message>
        <source>Expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>PACKET where CONDITION: FIELD = VALUE, FIELD = VALUE. Fields are in the file&apos;s units; speed (m/s), heading, frame, time (s), blueprint, role and x, y, z (m) can be used in conditions.</source>
        <translation>PACKET where CONDITION: FIELD = VALUE, FIELD = VALUE。字段采用文件中的单位；条件中可使用 speed (m/s)、heading、frame、time (s)、blueprint、role 以及 x、y、z (m)。</translation>
    </message>
    <message>
        <source>Whole recording</source>
        <translation>整个记录文件</translation>
    </message>
    <message>
        <source>In-out range</source>
        <translation>入出点区间</translation>
    </message>
    <message>
        <source>This frame</source>
        <translation>此帧</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>修改前后</translation>
    </message>
    <message>
        <source>The search starts when the expression is complete.</source>
        <translation>表达式完整后即开始搜索。</translation>
    </message>
    <message>
        <source>Type a condition, then a colon and the new values</source>
        <translation>请输入条件，然后是冒号和新值</translation>
    </message>
    <message>
        <source>Looking for matches</source>
        <translation>正在查找匹配处</translation>
    </message>
    <message>
        <source>Looking, %1 %</source>
        <translation>正在查找，%1%</translation>
    </message>
    <message>
        <source>All matching records have these values already</source>
        <translation>所有匹配的记录已经是这些值</translation>
    </message>
    <message>
        <source>No record of %1 matches</source>
        <translation>%1 没有匹配的记录</translation>
    </message>
    <message>
        <source>Nothing can be applied; exclude these records in the condition.</source>
        <translation>无法应用；请在条件中排除这些记录。</translation>
    </message>
    <message>
        <source>%1. Undo takes it back.</source>
        <translation>%1。可用“撤销”恢复。</translation>
    </message>
    <message>
        <source>Replacing</source>
        <translation>正在替换</translation>
    </message>
</context>
<context>
    <name>ReplayDialog</name>
    <message>
        <source>Unsaved edits are replayed from a copy; the call and the script name the file, without them.</source>
        <translation>未保存的编辑从一个副本重放；重放调用和采集脚本使用文件本身，不含这些编辑。</translation>
    </message>
    <message>
        <source>The simulator reads the file itself: on its own machine, as %1.</source>
        <translation>仿真器自行读取该文件：在它自己的机器上，路径为 %1。</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>重放</translation>
    </message>
    <message>
        <source>Replay in the simulator</source>
        <translation>在仿真器中重放</translation>
    </message>
    <message>
        <source>Copy replay call</source>
        <translation>复制重放调用</translation>
    </message>
    <message>
        <source>Save collect script...</source>
        <translation>保存采集脚本...</translation>
    </message>
    <message>
        <source>Asking %1...</source>
        <translation>正在询问 %1...</translation>
    </message>
    <message>
        <source>Asking the simulator</source>
        <translation>正在询问仿真器</translation>
    </message>
    <message>
        <source>Replaying</source>
        <translation>正在重放</translation>
    </message>
    <message>
        <source>Save collect script</source>
        <translation>保存采集脚本</translation>
    </message>
</context>
<context>
    <name>ReportsDialog</name>
    <message>
        <source>Reports</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Find in the report</source>
        <translation>在报告中查找</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>查找上一个</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>查找下一个</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save...</source>
        <translation>保存...</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The recording was edited; the report is updated.</source>
        <translation>记录文件已被编辑；报告已更新。</translation>
    </message>
    <message>
        <source>Generating the report</source>
        <translation>正在生成报告</translation>
    </message>
    <message>
        <source>Generating the report, %1 %</source>
        <translation>正在生成报告，%1%</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
</context>
<context>
    <name>RoadNotice</name>
    <message>
        <source>Use %1 %2</source>
        <translation>使用 %1 %2</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>选择...</translation>
    </message>
    <message>
        <source>Recorded paths</source>
        <translation>记录的路径</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Roads</name>
    <message>
        <source>Road map: %1, %2.</source>
        <translation>道路地图：%1，%2。</translation>
    </message>
    <message>
        <source>Not used of it: %1</source>
        <translation>未采用：%1</translation>
    </message>
    <message>
        <source>%1 does not fit: %2 of the vehicles&apos; positions lie within 5 m of its lanes.</source>
        <translation>%1 不匹配：只有 %2 的车辆位置距其车道 5 m 以内。</translation>
    </message>
    <message>
        <source>The map of %1 was taken from the simulator.</source>
        <translation>已从仿真器获取 %1 的地图。</translation>
    </message>
    <message>
        <source>Asking the simulator for its map</source>
        <translation>正在从仿真器获取地图</translation>
    </message>
    <message>
        <source>No road map, as chosen: Recording &gt; Road map &gt; Forget looks for one.</source>
        <translation>按您的选择不使用道路地图：“记录文件 &gt; 道路地图 &gt; 忘记选择”会重新查找。</translation>
    </message>
    <message>
        <source>Reading the road map</source>
        <translation>正在读取道路地图</translation>
    </message>
    <message>
        <source>The recording does not name its map: choose a road map under Recording &gt; Road map.</source>
        <translation>记录文件没有给出地图名称：请通过“记录文件 &gt; 道路地图”选择道路地图。</translation>
    </message>
    <message>
        <source>No map of %1 was found. The simulator has it in a folder OpenDrive: put %2 beside the recording, or choose it under Recording &gt; Road map.</source>
        <translation>找不到 %1 的地图。仿真器的 OpenDrive 文件夹中有它：请把 %2 放到记录文件旁边，或通过“记录文件 &gt; 道路地图”选择。</translation>
    </message>
    <message>
        <source>Looking for other road maps</source>
        <translation>正在查找其他道路地图</translation>
    </message>
</context>
<context>
    <name>RulesDialog</name>
    <message>
        <source>A rule in each line: a condition on Position, as in Find and replace, a colon and a colour. For another packet, begin with its name: AnimVehicle where brake &gt; 0.5: red. The first rule that is met counts.</source>
        <translation>每行一条规则：针对 Position 的条件（写法与“查找和替换”相同）、冒号、颜色。若用其他数据包，请以其名称开头：AnimVehicle where brake &gt; 0.5: red。以最先满足的规则为准。</translation>
    </message>
    <message>
        <source>Colour by rules</source>
        <translation>按规则着色</translation>
    </message>
    <message>
        <source>Colour actors by rules</source>
        <translation>按规则为参与者着色</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
</context>
<context>
    <name>RunScriptDialog</name>
    <message>
        <source>Run script</source>
        <translation>运行脚本</translation>
    </message>
    <message>
        <source>Run a script of edits</source>
        <translation>运行编辑脚本</translation>
    </message>
    <message>
        <source>Applies all steps to this recording, or none, as one undo step.</source>
        <translation>把所有步骤应用到本记录文件，或全部不应用；算作一个撤销步骤。</translation>
    </message>
    <message>
        <source>the script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>None chosen yet</source>
        <translation>尚未选择</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Choose a script to see its steps</source>
        <translation>请选择脚本以查看其步骤</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>%1 is not an edit script: it is not a text file.</source>
        <translation>%1 不是编辑脚本：它不是文本文件。</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>belonged to another file</source>
        <translation>原属另一个文件</translation>
    </message>
    <message>
        <source>Running %1</source>
        <translation>正在运行 %1</translation>
    </message>
</context>
<context>
    <name>SaveScriptDialog</name>
    <message>
        <source>Save as script</source>
        <translation>保存为脚本</translation>
    </message>
    <message>
        <source>Save the edits as a script</source>
        <translation>把编辑保存为脚本</translation>
    </message>
    <message>
        <source>The edits in terms of seconds and actors, to apply them to other recordings.</source>
        <translation>以秒数和参与者表述的编辑，可应用到其他记录文件。</translation>
    </message>
    <message>
        <source>No edits yet</source>
        <translation>尚无编辑</translation>
    </message>
    <message>
        <source>belongs to this file only</source>
        <translation>只属于本文件</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the script as text</source>
        <translation>把脚本复制为文本</translation>
    </message>
    <message>
        <source>Save...</source>
        <translation>保存...</translation>
    </message>
    <message>
        <source>%1 older edits are no longer available and not included.</source>
        <translation>另有 %1 项较早的编辑已不可用，未包含在内。</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
</context>
<context>
    <name>SavedFilters</name>
    <message>
        <source>Save filter...</source>
        <translation>保存过滤条件...</translation>
    </message>
    <message>
        <source>Delete filter</source>
        <translation>删除过滤条件</translation>
    </message>
    <message>
        <source>Save filter</source>
        <translation>保存过滤条件</translation>
    </message>
</context>
<context>
    <name>ScaleDialog</name>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Range of the axis</source>
        <translation>坐标轴范围</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Set range</source>
        <translation>设置范围</translation>
    </message>
    <message>
        <source>The first number must be smaller than the second.</source>
        <translation>第一个数必须小于第二个数。</translation>
    </message>
    <message>
        <source>A logarithmic axis begins above 0.</source>
        <translation>对数坐标轴必须从大于 0 的值开始。</translation>
    </message>
</context>
<context>
    <name>ScenePane</name>
    <message>
        <source>Roads</source>
        <translation>道路</translation>
    </message>
    <message>
        <source>Trails</source>
        <translation>轨迹线</translation>
    </message>
    <message>
        <source>Ids</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>另一份</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Keep the selected actor, or else the hero, in view. Starts with playing; Esc ends it.</source>
        <translation>让所选参与者（没有时为主车）保持在视野内。播放时自动开始；按 Esc 结束。</translation>
    </message>
    <message>
        <source>The actors of the recording that this one is compared with</source>
        <translation>与本记录文件比较的另一份记录文件的参与者</translation>
    </message>
    <message>
        <source>The roads under the actors</source>
        <translation>参与者下方的道路</translation>
    </message>
    <message>
        <source>Choose a road map...</source>
        <translation>选择道路地图...</translation>
    </message>
    <message>
        <source>Get from running simulator</source>
        <translation>从运行中的仿真器获取</translation>
    </message>
    <message>
        <source>Follow %1</source>
        <translation>跟随 %1</translation>
    </message>
    <message>
        <source>Stop following</source>
        <translation>停止跟随</translation>
    </message>
    <message>
        <source>Fit road users</source>
        <translation>显示全部道路使用者</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Save picture...</source>
        <translation>保存图片...</translation>
    </message>
</context>
<context>
    <name>SceneView</name>
    <message>
        <source>Scene from above</source>
        <translation>场景俯视图</translation>
    </message>
    <message>
        <source>No positions in this frame</source>
        <translation>本帧中没有位置</translation>
    </message>
    <message>
        <source>No frames in this file; Repair shows what can be recovered</source>
        <translation>此文件中没有帧；“修复”显示可以恢复的内容</translation>
    </message>
    <message>
        <source>Clicks or Enter set both ends; arrow keys move the second, Ctrl+Up and Ctrl+Down choose its actor.</source>
        <translation>单击或按 Enter 设置两端；方向键移动第二端，Ctrl+Up 和 Ctrl+Down 选择其参与者。</translation>
    </message>
    <message>
        <source>Measure off</source>
        <translation>测量已关闭</translation>
    </message>
    <message>
        <source>Drawing the road map</source>
        <translation>正在绘制道路地图</translation>
    </message>
    <message>
        <source>%1 (Shift: on it), %2</source>
        <translation>%1（Shift：置于其上），%2</translation>
    </message>
    <message>
        <source>Select an actor first that has a position in this frame.</source>
        <translation>请先选择在本帧中有位置的参与者。</translation>
    </message>
    <message>
        <source>Arrow keys move it by 0.1 m, with Shift by 1 m; with Ctrl they turn it. Enter ends, Esc cancels.</source>
        <translation>方向键移动 0.1 m，按住 Shift 移动 1 m；按住 Ctrl 旋转。Enter 完成，Esc 取消。</translation>
    </message>
    <message>
        <source>Actor %1 is not alive in this frame.</source>
        <translation>参与者 %1 在本帧中不存在。</translation>
    </message>
    <message>
        <source>Moving %1 over %2 frames</source>
        <translation>正在 %2 帧内移动 %1</translation>
    </message>
</context>
<context>
    <name>Services</name>
    <message>
        <source>Open a recording first.</source>
        <translation>请先打开记录文件。</translation>
    </message>
    <message>
        <source>The recording is still being read.</source>
        <translation>记录文件仍在读取。</translation>
    </message>
    <message>
        <source>This recording has no frames.</source>
        <translation>此记录文件没有帧。</translation>
    </message>
    <message>
        <source>Select an actor first, in the scene or in the table of actors.</source>
        <translation>请先在场景或参与者表中选择一个参与者。</translation>
    </message>
    <message>
        <source>A recording of one frame cannot be played.</source>
        <translation>只有一帧的记录文件无法播放。</translation>
    </message>
    <message>
        <source>Edit a path first (P).</source>
        <translation>请先编辑一条路径 (P)。</translation>
    </message>
</context>
<context>
    <name>SignalModel</name>
    <message>
        <source>No more than %1 signals are shown together.</source>
        <translation>最多同时显示 %1 个信号。</translation>
    </message>
    <message>
        <source>Reading signals</source>
        <translation>正在读取信号</translation>
    </message>
</context>
<context>
    <name>SignalsPane</name>
    <message>
        <source>Choose a signal from the list, or drag a field from Packets or Attributes here.</source>
        <translation>请从列表中选择信号，或把字段从“数据包”或“属性”面板拖到这里。</translation>
    </message>
    <message>
        <source>Plot numbers over time</source>
        <translation>绘制数值随时间的变化</translation>
    </message>
    <message>
        <source>Plot signal...</source>
        <translation>绘制信号...</translation>
    </message>
    <message>
        <source>Plot signal</source>
        <translation>绘制信号</translation>
    </message>
    <message>
        <source>Previous view</source>
        <translation>上一视图</translation>
    </message>
    <message>
        <source>Next view</source>
        <translation>下一视图</translation>
    </message>
    <message>
        <source>Show the whole recording</source>
        <translation>显示整个记录文件</translation>
    </message>
    <message>
        <source>Export what is shown as CSV</source>
        <translation>把显示的内容导出为 CSV</translation>
    </message>
    <message>
        <source>Cursors</source>
        <translation>游标</translation>
    </message>
    <message>
        <source>Two cursors, with values and differences</source>
        <translation>两个游标，显示数值和差值</translation>
    </message>
    <message>
        <source>Selected actor</source>
        <translation>所选参与者</translation>
    </message>
    <message>
        <source>Signals become those of the actor that is selected</source>
        <translation>信号改为所选参与者的信号</translation>
    </message>
    <message>
        <source>A %1   B %2   B − A %3, %4 frames</source>
        <translation>A %1   B %2   B − A %3，%4 帧</translation>
    </message>
</context>
<context>
    <name>SizesPlot</name>
    <message>
        <source>Bytes of each frame by packet type, over time</source>
        <translation>各帧按数据包类型统计的字节数随时间的变化</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>others</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>bytes per frame</source>
        <translation>每帧字节数</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>frame %1</source>
        <translation>第 %1 帧</translation>
    </message>
    <message>
        <source>frames %1 to %2</source>
        <translation>第 %1 至 %2 帧</translation>
    </message>
</context>
<context>
    <name>Speaker</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>SplitDialog</name>
    <message>
        <source>Split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <source>Split into parts</source>
        <translation>拆分为多个部分</translation>
    </message>
    <message>
        <source>Each part can be replayed on its own. This recording does not change.</source>
        <translation>每一部分都可单独重放。本记录文件不变。</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>Playable</source>
        <translation>可播放</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>The parts</source>
        <translation>各部分</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Split by</source>
        <translation>拆分依据</translation>
    </message>
    <message>
        <source>the folder of the parts</source>
        <translation>存放各部分的文件夹</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder of the parts</source>
        <translation>存放各部分的文件夹</translation>
    </message>
    <message>
        <source>Computing the parts</source>
        <translation>正在计算各部分</translation>
    </message>
    <message>
        <source>Write 1 part</source>
        <translation>写入 1 个部分</translation>
    </message>
    <message>
        <source>Write %1 parts</source>
        <translation>写入 %1 个部分</translation>
    </message>
    <message>
        <source>No parts</source>
        <translation>没有部分</translation>
    </message>
    <message>
        <source>Wrote 1 part to %2</source>
        <translation>已把 1 个部分写入 %2</translation>
    </message>
    <message>
        <source>Wrote %1 parts to %2</source>
        <translation>已把 %1 个部分写入 %2</translation>
    </message>
    <message>
        <source>Writing parts</source>
        <translation>正在写入各部分</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Take the tour</source>
        <translation>开始导览</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>记录库</translation>
    </message>
    <message>
        <source>Make a demo recording</source>
        <translation>生成演示记录文件</translation>
    </message>
    <message>
        <source>Edits that were not saved when the program ended</source>
        <translation>程序结束时未保存的编辑</translation>
    </message>
    <message>
        <source>Drop a .log or .rec file anywhere in this window, or choose one.</source>
        <translation>把 .log 或 .rec 文件拖到本窗口任意位置，或选择文件。</translation>
    </message>
    <message>
        <source>Open a recording</source>
        <translation>打开记录文件</translation>
    </message>
    <message>
        <source>Try it with a sample</source>
        <translation>用示例试一试</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>With a recording open</source>
        <translation>打开记录文件后可用</translation>
    </message>
    <message>
        <source>play and pause</source>
        <translation>播放和暂停</translation>
    </message>
    <message>
        <source>set the in and out points, then Trim</source>
        <translation>设置入点和出点，然后裁剪</translation>
    </message>
    <message>
        <source>go to a frame, time, offset or actor</source>
        <translation>转到帧、时间、偏移量或参与者</translation>
    </message>
    <message>
        <source>find every action</source>
        <translation>查找任何操作</translation>
    </message>
    <message>
        <source>Unsaved edits of %1 were found...</source>
        <translation>发现 %1 有未保存的编辑...</translation>
    </message>
    <message>
        <source>Unsaved edits of %1 recordings were found...</source>
        <translation>发现 %1 份记录文件有未保存的编辑...</translation>
    </message>
</context>
<context>
    <name>Status</name>
    <message>
        <source>No recording open</source>
        <translation>没有打开记录文件</translation>
    </message>
    <message>
        <source>No readable header</source>
        <translation>没有可读的头部信息</translation>
    </message>
    <message>
        <source>Unknown release</source>
        <translation>未知发行版本</translation>
    </message>
    <message>
        <source>Undone: %1</source>
        <translation>已撤销：%1</translation>
    </message>
    <message>
        <source>Range cleared</source>
        <translation>已清除区间</translation>
    </message>
    <message>
        <source>No frames</source>
        <translation>没有帧</translation>
    </message>
    <message>
        <source>Frame %1 of %2</source>
        <translation>第 %1 帧，共 %2 帧</translation>
    </message>
    <message>
        <source>After frame %1 of %2</source>
        <translation>第 %1 帧之后，共 %2 帧</translation>
    </message>
    <message>
        <source>%1 damaged</source>
        <translation>%1 帧损坏</translation>
    </message>
    <message>
        <source>In point %1, out point %2</source>
        <translation>入点 %1，出点 %2</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>No edits</source>
        <translation>没有编辑</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>正在检查</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>没有问题</translation>
    </message>
</context>
<context>
    <name>Steps</name>
    <message>
        <source>Proposed steps</source>
        <translation>建议的步骤</translation>
    </message>
</context>
<context>
    <name>TextEdit</name>
    <message>
        <source>This text has %1 bytes; at most %2 can be stored.</source>
        <translation>此文本有 %1 字节；最多可存 %2 字节。</translation>
    </message>
    <message>
        <source>These bytes are not UTF-8. Edit them in Bytes.</source>
        <translation>这些字节不是 UTF-8。请在“字节”面板中编辑。</translation>
    </message>
</context>
<context>
    <name>TextView</name>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>This is too much to copy; save the report instead.</source>
        <translation>内容太多，无法复制；请改为保存报告。</translation>
    </message>
</context>
<context>
    <name>TimelinePane</name>
    <message>
        <source>Go to frame %1</source>
        <translation>转到第 %1 帧</translation>
    </message>
    <message>
        <source>Set in point here</source>
        <translation>在此设置入点</translation>
    </message>
    <message>
        <source>Set out point here</source>
        <translation>在此设置出点</translation>
    </message>
    <message>
        <source>Note of the range</source>
        <translation>区间备注</translation>
    </message>
    <message>
        <source>Clear range</source>
        <translation>清除区间</translation>
    </message>
    <message>
        <source>Insert empty frame after</source>
        <translation>在其后插入空帧</translation>
    </message>
    <message>
        <source>Duplicate frame %1</source>
        <translation>创建第 %1 帧的副本</translation>
    </message>
    <message>
        <source>Delete frame %1</source>
        <translation>删除第 %1 帧</translation>
    </message>
    <message>
        <source>Show the whole recording</source>
        <translation>显示整个记录文件</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>No frames in this file; Repair shows what can be recovered</source>
        <translation>此文件中没有帧；“修复”显示可以恢复的内容</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
</context>
<context>
    <name>Transport</name>
    <message>
        <source>In</source>
        <translation>入点</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>出点</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>首帧</translation>
    </message>
    <message>
        <source>Previous frame</source>
        <translation>上一帧</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Next frame</source>
        <translation>下一帧</translation>
    </message>
    <message>
        <source>Last frame</source>
        <translation>末帧</translation>
    </message>
    <message>
        <source>Loop range</source>
        <translation>循环播放区间</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>%1 clears both</source>
        <translation>按 %1 两者都清除</translation>
    </message>
    <message>
        <source>Clear %1</source>
        <translation>清除%1</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>%1 帧</translation>
    </message>
    <message>
        <source>Frame id in the file: %1</source>
        <translation>文件中的帧 ID：%1</translation>
    </message>
    <message>
        <source>Date of the recording plus the simulated time</source>
        <translation>记录文件的日期加上仿真时间</translation>
    </message>
    <message>
        <source>%1 frame</source>
        <translation>%1 帧</translation>
    </message>
    <message>
        <source>Speed %1</source>
        <translation>速度 %1</translation>
    </message>
    <message>
        <source>Playing</source>
        <translation>正在播放</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
</context>
<context>
    <name>TrimPane</name>
    <message>
        <source>Trim</source>
        <translation>裁剪</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Cut out</source>
        <translation>剪除</translation>
    </message>
    <message>
        <source>The range</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Keep the range, remove the rest</source>
        <translation>保留区间，移除其余部分</translation>
    </message>
    <message>
        <source>Remove the range, keep the rest</source>
        <translation>移除区间，保留其余部分</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Records that are written</source>
        <translation>写入的记录</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Save range as...</source>
        <translation>区间另存为...</translation>
    </message>
    <message>
        <source>Write the range to a new file; this recording is not changed</source>
        <translation>把区间写入新文件；本记录文件不变</translation>
    </message>
    <message>
        <source>Copy the command that does the same</source>
        <translation>复制等效的命令</translation>
    </message>
    <message>
        <source>Checking what is kept...</source>
        <translation>正在检查保留的部分……</translation>
    </message>
    <message>
        <source>Choose what to keep</source>
        <translation>选择要保留的内容</translation>
    </message>
    <message>
        <source>Choose what to remove</source>
        <translation>选择要移除的内容</translation>
    </message>
    <message>
        <source>Drag the handles at the ends of the timeline</source>
        <translation>拖动时间线两端的手柄</translation>
    </message>
    <message>
        <source>or press %1 and %2 at the first and last frame</source>
        <translation>或在首帧和末帧分别按 %1 和 %2</translation>
    </message>
    <message>
        <source>The file is still being read</source>
        <translation>文件仍在读取</translation>
    </message>
    <message>
        <source>No frame can be read</source>
        <translation>无法读取任何帧</translation>
    </message>
    <message>
        <source>Repair shows what can be recovered from this file</source>
        <translation>“修复”会显示此文件中可恢复的内容</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Cut out %1 to %2</source>
        <translation>剪除 %1 至 %2</translation>
    </message>
    <message>
        <source>Keep %1 to %2</source>
        <translation>保留 %1 至 %2</translation>
    </message>
    <message>
        <source>Frames %1 to %2</source>
        <translation>第 %1 至 %2 帧</translation>
    </message>
    <message>
        <source>Close the gap in the clocks, too</source>
        <translation>同时消除时钟中的间隔</translation>
    </message>
    <message>
        <source>Restart the clocks at 0, too</source>
        <translation>时钟也从 0 重新开始</translation>
    </message>
    <message>
        <source>PlatformTime and VisualTime; otherwise they stay as recorded</source>
        <translation>PlatformTime 和 VisualTime；否则保持记录时的值</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>actors</source>
        <translation>参与者</translation>
    </message>
    <message>
        <source>destroyed</source>
        <translation>销毁</translation>
    </message>
    <message>
        <source>at the gap</source>
        <translation>在间隔处</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>playable</source>
        <translation>可播放</translation>
    </message>
    <message>
        <source>to the last frame</source>
        <translation>到末帧</translation>
    </message>
    <message>
        <source>created</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>created later</source>
        <translation>之后创建</translation>
    </message>
    <message>
        <source>collisions</source>
        <translation>碰撞</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Computing the result</source>
        <translation>正在计算结果</translation>
    </message>
    <message>
        <source>Written into frame %1, so that it starts with the complete world</source>
        <translation>写入第 %1 帧，使其从完整的世界状态开始</translation>
    </message>
    <message>
        <source>Written into frame %1, so that it continues from the frame before</source>
        <translation>写入第 %1 帧，使其接续前一帧</translation>
    </message>
    <message>
        <source>%1 in the whole recording now</source>
        <translation>目前整个记录文件中有 %1 个</translation>
    </message>
    <message>
        <source>Cutting out frames</source>
        <translation>正在剪除帧</translation>
    </message>
    <message>
        <source>Trimming</source>
        <translation>正在裁剪</translation>
    </message>
    <message>
        <source>%1. Undo takes it back.</source>
        <translation>%1。可用“撤销”恢复。</translation>
    </message>
    <message>
        <source>Save range as</source>
        <translation>区间另存为</translation>
    </message>
    <message>
        <source>Join into one</source>
        <translation>拼接为一个文件</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
</context>
<context>
    <name>ValueEdit</name>
    <message>
        <source>mixed</source>
        <translation>多个值</translation>
    </message>
</context>
<context>
    <name>_Delegate</name>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
</context>
<context>
    <name>_DockButtons</name>
    <message>
        <source>Float this pane</source>
        <translation>使此面板浮动</translation>
    </message>
    <message>
        <source>Close this pane</source>
        <translation>关闭此面板</translation>
    </message>
</context>
<context>
    <name>_ScriptDialog</name>
    <message>
        <source>The steps of the script</source>
        <translation>脚本的步骤</translation>
    </message>
</context>
<context>
    <name>area</name>
    <message>
        <source>offset</source>
        <translation>偏移量</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>registry</name>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
</context>
<context>
    <name>services</name>
    <message>
        <source>No actor of this recording has the role hero.</source>
        <translation>本记录文件中没有角色名为 hero 的参与者。</translation>
    </message>
</context>
<context>
    <name>widget</name>
    <message>
        <source>Scroll bar</source>
        <translation>滚动条</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
</context>
</TS>
