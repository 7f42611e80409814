"""The elements of a scenario as text: sound where pieces are put in, and points as the elements that they are."""

from xml.etree import ElementTree

from recorder_editor.formats import openscenario_xml as xml

POSITION = xml.WorldPosition(x=1.5, y=-2.0, z=0.25, heading=0.1, pitch=-0.0, roll=1e-07)
SIZE = xml.Size((0.0, 0.0, 0.75), length=4.5, width=1.8, height=1.5)


def test_points_are_written_as_the_elements_that_they_are() -> None:
    vertex = ElementTree.Element("Vertex", {"time": "0.05"})
    vertex.append(xml._position(POSITION))
    assert xml.vertices([0.05], [[*POSITION]]) == f"{xml.text_of(vertex)}\n"


def test_the_parts_of_a_file_and_what_is_between_them_are_one_document() -> None:
    before_objects, before_actions, before_groups, last = xml.document(
        minor="1",
        date="1970-01-01T00:00:00Z",
        description="Trajectories",
        logic_file="",
        start=xml.from_time(0.0),
        stop=xml.from_time(1.0),
    )
    before_points, after_points = xml.maneuver_group("hero", xml.from_time(0.0), is_relative=False, has_reference=True)
    objects = xml.vehicle(entity="hero", name='a "car"', category="car", size=SIZE, properties=[("color", "1,2,3")])
    objects += xml.pedestrian(entity="walker", name="walker", size=SIZE, properties=[])
    points = xml.vertices([0.0, 1.0], [[*POSITION], [*POSITION]])
    parts = (
        *(before_objects, objects, before_actions, xml.private("hero", POSITION, 0.0), before_groups),
        *(before_points, points, after_points, last),
    )
    text = "".join(parts)
    root = ElementTree.fromstring(text)
    assert [each.attrib["name"] for each in root.iter("ScenarioObject")] == ["hero", "walker"]
    assert [len(each) for each in root.iter("Polyline")] == [2]
    assert "<RoadNetwork></RoadNetwork>" in text
    assert "<Properties></Properties>" in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_a_line_is_indented_as_deep_as_it_is() -> None:
    text = "".join(
        xml.document(
            minor="0",
            date="1970-01-01T00:00:00Z",
            description="Trajectories",
            logic_file="Town01",
            start=xml.past_time(0.0),
            stop=xml.past_time(1.0),
        )
    )
    assert '  <RoadNetwork><LogicFile filepath="Town01"/></RoadNetwork>\n  <Entities>\n  </Entities>\n' in text
    assert text.endswith("</StopTrigger>\n  </Storyboard>\n</OpenSCENARIO>\n")
